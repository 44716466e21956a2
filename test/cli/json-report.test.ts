/** `--json` prints one shape: whatever is found has a severity and stands among `diagnostics`, however a command ends. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonReport } from '../../build/cli/json-report.ts';
import {
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';
import { civic } from './program.ts';

/** A file that is no contract, and a rule that only warns. */
const WARNED = {
  ...CONTRACTS,
  'rain/rainfall.yaml': RAINFALL.replace(
    '    quality:\n      - { name: some_rows',
    '    quality:\n      - { name: no_rows, type: sql, severity: warning, query: "SELECT COUNT(*) FROM {object}", mustBe: 0 }\n      - { name: some_rows',
  ),
  'notes.yaml': 'kind: Notes\n',
};
const WARNINGS = ['warning not-a-contract', 'warning rule-warned'];

let publisher: PublisherFolder;
let inputs: readonly string[];
beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'), WARNED, LAKE);
  inputs = ['--contracts', publisher.contracts, '--data', publisher.data];
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

/** What is found, after everything that is so of all commands is held. */
async function found(...args: readonly string[]): Promise<[code: number | null, ...found: string[]]> {
  const { code, stdout, stderr } = await civic([...args, '--json']);
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as JsonReport;
  expect(report.ok).toBe(code === 0);
  for (const old of ['errors', 'warnings', 'failed', 'code', 'message'])
    expect(report).not.toHaveProperty(old);
  return [code, ...report.diagnostics.map(one => `${one.severity} ${one.code}`)];
}

test('warnings are warnings where the command passes', async () => {
  const tree = publisher.out;
  expect(await found('validate', '--contracts', publisher.contracts)).toEqual([0, 'warning not-a-contract']);
  expect(await found('check', ...inputs)).toEqual([0, ...WARNINGS]);
  expect(await found('build', ...inputs, '--out', tree)).toEqual([0, ...WARNINGS]);
  const shard = path.join(publisher.root, 'shard');
  expect(await found('build', ...inputs, '--out', shard, '--shard', '1/1')).toEqual([
    0,
    'warning rule-warned',
  ]);
  const merged = path.join(publisher.root, 'merged');
  expect(await found('merge', shard, '--out', merged)).toEqual([0, 'warning not-a-contract']);
  expect(await found('verify', tree)).toEqual([0]);
  expect(await found('diff', tree, merged)).toEqual([0]);
  expect(await found('snapshot', tree, '--out', path.join(publisher.root, 'tree.zip'))).toEqual([0]);
  expect(await found('query', 'climate/rainfall', '--base', tree, '--explain')).toEqual([0]);
});

test('and where --strict refuses them', async () => {
  expect(await found('validate', '--contracts', publisher.contracts, '--strict')).toEqual([
    1,
    'warning not-a-contract',
  ]);
  expect(await found('check', ...inputs, '--strict')).toEqual([1, 'warning not-a-contract']);
});

describe('beside errors', () => {
  test('in contracts', async () => {
    const contracts = path.join(publisher.root, 'other');
    await writeTexts(contracts, { ...WARNED, 'rain/rainfall.yaml': RAINFALL.replace('"SELECT', '"DELETE') });
    expect(await found('validate', '--contracts', contracts)).toEqual([
      1,
      'error rule-query',
      'warning not-a-contract',
    ]);
  });

  test('in rows', async () => {
    const data = path.join(publisher.root, 'lake');
    await writeRows(data, {
      ...LAKE,
      [rainFile(2021, 'regions')]:
        `SELECT * REPLACE (-0.5 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`,
    });
    const refused = [1, 'error rule-failed', ...WARNINGS.toReversed()];
    const args = ['--contracts', publisher.contracts, '--data', data];
    expect((await found('check', ...args)).sort()).toEqual(refused.sort());
    const out = path.join(publisher.root, 'refused');
    expect((await found('build', ...args, '--out', out)).sort()).toEqual(refused.sort());
  });

  test.each([
    ['a tree', () => ['verify', publisher.data], 3, 'not-a-tree'],
    ['a question', () => ['query', 'climate/snow', '--base', publisher.out], 2, 'not-published'],
    ['the command line', () => ['verify', '--all'], 2, 'usage'],
  ] as const)('in %s', async (_, args, code, error) => {
    expect(await found(...args())).toEqual([code, `error ${error}`]);
  });
});
