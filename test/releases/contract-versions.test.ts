/** A changed schema without the required version stops the build. */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../build/format/paths.ts';
import type { Overrides } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-weather.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { RAINFALL, REGIONS } from '../publishers/weather.ts';

const original = await keptWeather();
let publisher: Publisher;
beforeEach(async () => {
  publisher = await original.copyBuilt();
});

const version = (text: string) => ['version: 1.2.0', `version: ${text}`] as const;
const ADDED = ['[all, wet, dry]', '[all, wet, dry, monsoon]'] as const;
const BROKEN = [
  'physicalType: int\n        customProperties: [{ property: column_role, value: metric }]',
  'physicalType: int\n        customProperties: [{ property: column_role, value: categorical }]',
] as const;

const rewrite = (...changes: readonly (readonly [string, string])[]) => {
  for (const [from] of changes) expect(RAINFALL).toContain(from);
  const text = changes.reduce((one, [from, to]) => one.replace(from, to), RAINFALL);
  return publisher.writeContracts({ 'rain/rainfall.yaml': text });
};

const codes = async (folder = publisher, overrides: Overrides = {}) =>
  (await folder.refusal(overrides)).diagnostics.map(one => one.code);

test('a value more needs the next minor version: the message says where and why, and the tree stays', async () => {
  await rewrite(ADDED, version('1.2.9'));
  const before = await publisher.contents();
  const { diagnostics } = await publisher.refusal();
  const said = diagnostics.map(({ code, file, line, message }) => [code, path.basename(file), line, message]);
  expect(said).toEqual([
    [
      ...['version-not-raised', 'rainfall.yaml', 5],
      'climate/rainfall was published as 1.2.0, and what changed adds to what readers know (value monsoon of season added): raise version from 1.2.9 to 1.3.0 or more, or undo the change',
    ],
  ]);
  expect(await publisher.contents()).toEqual(before);
  await rewrite(ADDED, version('1.3.0'));
  await publisher.build();
});

test('another role needs a major version; prose and rules need none', async () => {
  await rewrite(BROKEN, version('1.3.0'));
  expect(await codes()).toEqual(['version-not-raised']);
  await rewrite(['Rain of a season.', 'Rainfall.'], ['mustBeGreaterThan: 0', 'mustBeGreaterThan: 1']);
  await publisher.build();
});

test('a dimension has a version too; a contract that was not published before may have any', async () => {
  await publisher.writeContracts({
    'snow.yaml': RAINFALL.replaceAll('rainfall', 'snowfall').replace('version: 1.2.0', 'version: 0.0.1'),
  });
  const snow = path.join(publisher.data, 'climate/snowfall');
  await cp(path.join(publisher.data, 'climate/rainfall'), snow, { recursive: true });
  await publisher.build();
  const more = `${REGIONS}        description: What it is called.\n      - name: region_area\n        logicalType: number\n`;
  await publisher.writeContracts({ 'shared/regions.yaml': more });
  const { diagnostics } = await publisher.refusal();
  const found = diagnostics.filter(one => one.code === 'version-not-raised').map(one => one.message);
  expect(found).toContainEqual(
    expect.stringMatching(/^regions was published as 1\.0\.0.*raise version from 1\.0\.0 to 1\.1\.0/),
  );
});

test('the release of --previous counts, and a manifest without its contracts is ignored', async () => {
  await rewrite(ADDED);
  const elsewhere = publisher.with({ out: path.join(publisher.root, 'elsewhere') });
  expect(await codes(elsewhere, { previous: path.join(original.out, ROOT.manifest) })).toEqual([
    'version-not-raised',
  ]);
  const alone = path.join(await temporaryFolder(), ROOT.manifest);
  await cp(path.join(original.out, ROOT.manifest), alone);
  await elsewhere.build({ previous: alone });
});
