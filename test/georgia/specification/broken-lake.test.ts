/** One broken rule of each dataset and dimension, written as a lake and refused by the program that a publisher runs. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datasetChecks } from '../../../build/check/derived-checks.ts';
import type { JsonReport } from '../../../build/cli/json-report.ts';
import type { Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { BreakableSample } from './breakable-sample.ts';
import { CONTRACTS, PROJECT } from './contracts.ts';
import { derivedBreaks } from './derived-breaks.ts';
import { dimensionSpecifications, specifications } from './facts.ts';
import { sampleLake } from './sample.ts';

const PROGRAM = path.join(PROJECT, 'lib/bin/civic.js');

const sample = await BreakableSample.open();
const folder = await mkdtemp(path.join(tmpdir(), 'civic-broken-lake-'));
afterAll(() => {
  sample.close();
  return rm(folder, { recursive: true, force: true });
});

const specified = [...specifications, ...dimensionSpecifications];

interface Broken {
  readonly contract: Dataset | Dimension;
  /** The contract's first rule in SQL that stops a build, else its first list of allowed values. */
  readonly rule: string;
  readonly change: string;
}

function brokenRule(contract: Dataset | Dimension): Broken {
  const stopping = contract.rules.filter(({ severity }) => severity === 'error');
  const rule =
    stopping.find(({ measure }) => measure.kind === 'sql') ??
    stopping.find(({ measure }) => measure.kind === 'invalidValues');
  if (rule === undefined) throw new Error(`${contract.key} has no rule that stops a build.`);
  const written = specified.find(({ key }) => key === contract.key)?.breaks[rule.name];
  if (written !== undefined) return { contract, rule: rule.name, change: written };
  const check = datasetChecks(contract as Dataset, sample.contracts, []).find(one => one.name === rule.name)!;
  return { contract, rule: rule.name, change: derivedBreaks(contract, check, [])[0]!.sql };
}

/** What `civic check` says of the sample with broken rules: its exit code and the rules that failed. */
async function check(name: string, broken: readonly Broken[]) {
  const lake = path.join(folder, name);
  await cp(await sampleLake(), lake, { recursive: true });
  for (const { contract, change } of broken) {
    await sample.takeOut(contract);
    expect(await sample.writeBroken(contract, change, lake), contract.key).not.toEqual([]);
    await sample.putBack(contract);
  }
  const args = [PROGRAM, 'check', '--contracts', CONTRACTS, '--data', lake, '--json'];
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>(resolve =>
    execFile(process.execPath, args, { maxBuffer: 1e8 }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    ),
  );
  const { diagnostics } = JSON.parse(stdout) as JsonReport;
  return { code, rules: diagnostics.flatMap(({ severity, rule }) => (severity === 'error' ? [rule] : [])) };
}

const datasets = sample.contracts.datasets.map(brokenRule);
const dimensions = [...sample.contracts.dimensions.values()].map(brokenRule);
const failure = ({ contract, rule }: Broken) =>
  expect.objectContaining({ subject: contract.key, name: rule, result: 'failed', found: expect.any(Number) });

describe('civic check refuses', () => {
  let found: Awaited<ReturnType<typeof check>>;
  beforeAll(async () => {
    found = await check('facts', datasets);
  });
  test.each(datasets.map(broken => [broken.contract.key, broken] as const))('%s', (_, broken) => {
    expect(found.rules).toContainEqual(failure(broken));
    expect(found.code).toBe(1);
  });
});

test('civic check refuses every dimension at once, before any dataset', async () => {
  const { code, rules } = await check('dimensions', dimensions);
  expect(code).toBe(1);
  expect(rules).toEqual(expect.arrayContaining(dimensions.map(failure)));
  expect(rules.filter(rule => datasets.some(({ contract }) => contract.key === rule?.subject))).toEqual([]);
});
