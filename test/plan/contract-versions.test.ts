/** A schema that changed without the version that it asks for stops the build. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../build/contract/diagnostic.ts';
import { ROOT } from '../../build/format/paths.ts';
import { buildPublisher, contents, refusal } from '../publishers/built-tree.ts';
import {
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { RAINFALL, REGIONS } from '../publishers/weather.ts';

let original: PublisherFolder;
let publisher: PublisherFolder;

beforeAll(async () => {
  original = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(original);
});
afterAll(() => rm(original.root, { recursive: true, force: true }));

beforeEach(async () => {
  publisher = await copyPublisher(original, await temporaryFolder());
  await cp(original.out, publisher.out, { recursive: true, preserveTimestamps: true });
});

const rewrite = (...replacements: readonly (readonly [string, string])[]) =>
  writeTexts(publisher.contracts, {
    'rain/rainfall.yaml': replacements.reduce((text, [from, to]) => text.replace(from, to), RAINFALL),
  });

const MORE_VALUES = ['[all, wet, dry]', '[all, wet, dry, monsoon]'] as const;
const FEWER_NULLS = ['has_total, value: true', 'has_total, value: false'] as const;
const ROLE = [
  'name: wet_days\n        logicalType: integer\n        physicalType: int\n        customProperties: [{ property: column_role, value: metric }]',
  'name: wet_days\n        logicalType: integer\n        physicalType: int\n        customProperties: [{ property: column_role, value: categorical }]',
] as const;
const version = (text: string) => ['version: 1.2.0', `version: ${text}`] as const;

async function codes(): Promise<string[]> {
  const before = await contents(publisher.out);
  const { diagnostics } = await refusal(publisher);
  expect(await contents(publisher.out)).toEqual(before);
  return diagnostics.map(one => one.code);
}

describe('over a tree in place', () => {
  test('what adds asks for a minor version, and says where', async () => {
    await rewrite(MORE_VALUES);
    const { diagnostics } = await refusal(publisher);
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      `${path.join(publisher.contracts, 'rain/rainfall.yaml')}:5:1 version-not-raised climate/rainfall was published as 1.2.0, and what changed adds to what readers know (value monsoon of season added): raise version from 1.2.0 to 1.3.0 or more, or undo the change`,
    ]);
    await rewrite(MORE_VALUES, version('1.2.9'));
    expect(await codes()).toEqual(['version-not-raised']);
    await rewrite(MORE_VALUES, version('1.3.0'));
    await buildPublisher(publisher);
  });

  test('what breaks readers asks for a major one', async () => {
    await rewrite(ROLE, version('1.3.0'));
    expect(await codes()).toEqual(['version-not-raised']);
    await rewrite(ROLE, version('2.0.0'));
    await buildPublisher(publisher);
  });

  test('a year that is promised anew is an addition; rows of a year that was promised may not go', async () => {
    await rewrite(['2019-2022', '2019-2023']);
    expect(await codes()).toEqual(['version-not-raised']);
    await rewrite(['Rain of a season.', 'Rainfall.']);
    await rm(path.join(publisher.data, 'climate/rainfall/year=2019'), { recursive: true });
    expect(await codes()).toEqual(['slices-withdrawn-silently']);
  });

  test('prose and rules ask for nothing', async () => {
    await rewrite(['Rain of a season.', 'Rainfall.'], FEWER_NULLS, [
      'mustBeGreaterThan: 0',
      'mustBeGreaterThan: 1',
    ]);
    await buildPublisher(publisher);
  });

  test('a dimension has a version too', async () => {
    const more = `${REGIONS}        description: What it is called.\n      - name: region_area\n        logicalType: number\n`;
    await writeTexts(publisher.contracts, { 'shared/regions.yaml': more });
    const { diagnostics } = await refusal(publisher);
    const found = diagnostics.filter(one => one.code === 'version-not-raised').map(one => one.message);
    expect(found).toContainEqual(
      expect.stringMatching(/^regions was published as 1\.0\.0.*raise version from 1\.0\.0 to 1\.1\.0/),
    );
  });

  test('a contract that was not published before may have any version', async () => {
    await writeTexts(publisher.contracts, {
      'snow.yaml': RAINFALL.replaceAll('rainfall', 'snowfall').replace('version: 1.2.0', 'version: 0.0.1'),
    });
    await cp(path.join(publisher.data, 'climate/rainfall'), path.join(publisher.data, 'climate/snowfall'), {
      recursive: true,
    });
    await buildPublisher(publisher);
  });
});

describe('with --previous', () => {
  test('its release is what counts', async () => {
    await rewrite(MORE_VALUES);
    const out = path.join(publisher.root, 'elsewhere');
    const previous = path.join(original.out, ROOT.manifest);
    const { diagnostics } = await refusal({ ...publisher, out }, { previous });
    expect(diagnostics.map(one => one.code)).toEqual(['version-not-raised']);
    await buildPublisher({ ...publisher, out });
  });

  test('a manifest alone, without the contracts beside it, judges nothing', async () => {
    const folder = await temporaryFolder();
    await cp(path.join(original.out, ROOT.manifest), path.join(folder, ROOT.manifest));
    await rewrite(MORE_VALUES);
    const out = path.join(publisher.root, 'elsewhere');
    await buildPublisher({ ...publisher, out }, { previous: path.join(folder, ROOT.manifest) });
  });
});
