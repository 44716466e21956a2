/** One broken rule of each dataset and dimension, written as a lake and refused by the program that a publisher runs. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { datasetChecks } from '../../../build/check/derived-checks.ts';
import type { JsonReport, ReportedRule } from '../../../build/cli/json-report.ts';
import type { Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { BreakableTable, readInventory } from './breakable-table.ts';
import { CONTRACTS, PROJECT, readOwnContracts } from './contracts.ts';
import { specifications } from './datasets.ts';
import { derivedBreaks } from './derived-breaks.ts';
import { dimensionSpecifications } from './dimensions.ts';
import type { Break } from './facts.ts';
import { sampleLake } from './sample.ts';

const PROGRAM = path.join(PROJECT, 'lib/bin/civic.js');

const contracts = await readOwnContracts();
const sample = await sampleLake();
const inventory = await readInventory(sample, contracts);
const folder = await mkdtemp(path.join(tmpdir(), 'civic-broken-lake-'));
const facts = path.join(folder, 'facts');
const dimensions = path.join(folder, 'dimensions');
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The rule that is broken: the contract's first in SQL that stops a build, else its first list of allowed values. */
function brokenRule({ rules }: Dataset | Dimension): string {
  const stopping = rules.filter(({ severity }) => severity === 'error');
  const rule =
    stopping.find(({ measure }) => measure.kind === 'sql') ??
    stopping.find(({ measure }) => measure.kind === 'invalidValues');
  if (rule === undefined) throw new Error('The contract has no rule that stops a build.');
  return rule.name;
}

/** What breaks it. */
function breakOf(contract: Dataset | Dimension, breaks: Readonly<Record<string, Break>>): Break {
  const name = brokenRule(contract);
  if (name in breaks || contract.kind === 'dimension') return breaks[name] ?? '';
  const check = datasetChecks(contract, contracts, []).find(one => one.name === name);
  return check === undefined ? '' : (derivedBreaks(contract, check, contract.levels)[0]?.sql ?? '');
}

async function breakLake(
  lake: string,
  broken: readonly (readonly [Dataset | Dimension, Readonly<Record<string, Break>>])[],
): Promise<void> {
  await cp(sample, lake, { recursive: true });
  for (const [contract, breaks] of broken) {
    const table = await BreakableTable.open(contracts, inventory, contract);
    try {
      const written = await table.writeBroken(breakOf(contract, breaks), lake);
      expect(written, contract.key).not.toEqual([]);
    } finally {
      table.close();
    }
  }
}

interface Run {
  readonly code: number;
  readonly output: string;
}

function civic(...args: readonly string[]): Promise<Run> {
  return new Promise(resolve => {
    execFile(process.execPath, [PROGRAM, ...args], { maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

const datasets = specifications.map(({ key, breaks }) => {
  const dataset = contracts.datasets.find(candidate => candidate.key === key)!;
  return [dataset, breaks] as const;
});

beforeAll(async () => {
  expect(existsSync(PROGRAM), 'run `npm run compile` first').toBe(true);
  await breakLake(facts, datasets);
  await breakLake(
    dimensions,
    dimensionSpecifications.map(({ key, breaks }) => [contracts.dimensions.get(key)!, breaks] as const),
  );
});

/** One run of the program for each domain, whose every dataset is broken. */
const runs = new Map<string, Promise<Run>>();
function checkDomain(domain: string): Promise<Run> {
  const run =
    runs.get(domain) ?? civic('check', '--contracts', CONTRACTS, '--data', facts, '--only', `${domain}/*`);
  runs.set(domain, run);
  return run;
}

describe('civic check refuses', () => {
  test.each(datasets.map(([dataset]) => [dataset.key, dataset] as const))('%s', async (key, dataset) => {
    const { code, output } = await checkDomain(dataset.domain);
    expect(output).toMatch(
      new RegExp(`^${key} error rule ${brokenRule(dataset)}: \\S.*\n  Found \\d+, must be`, 'm'),
    );
    expect(code).toBe(1);
  });

  test('a lake with one broken dataset', async () => {
    const [dataset] = datasets[0]!;
    const { code, output } = await civic(
      'check',
      '--contracts',
      CONTRACTS,
      '--data',
      facts,
      '--only',
      dataset.key,
    );
    expect(output).toContain(`${dataset.key} error rule ${brokenRule(dataset)}: `);
    expect(code).toBe(1);
  });

  test('every dimension at once, before any dataset', async () => {
    const { code, output } = await civic('check', '--contracts', CONTRACTS, '--data', dimensions, '--json');
    expect(code).toBe(1);
    const failed = failedRules(output);
    for (const { key } of dimensionSpecifications) {
      const rule = brokenRule(contracts.dimensions.get(key)!);
      expect(failed).toContainEqual(expect.objectContaining({ subject: key, name: rule, result: 'failed' }));
    }
    expect(failed.filter(({ subject }) => specifications.some(({ key }) => key === subject))).toEqual([]);
  });
});

test('civic build names every broken dataset at once, and publishes nothing', async () => {
  const out = path.join(folder, 'dist');
  const { code, output } = await civic(
    'build',
    '--contracts',
    CONTRACTS,
    '--data',
    facts,
    '--out',
    out,
    '--json',
  );
  expect(code).toBe(1);
  const named = new Set(failedRules(output).map(({ subject, name }) => `${subject} ${name}`));
  expect(
    datasets.map(([dataset]) => `${dataset.key} ${brokenRule(dataset)}`).filter(one => !named.has(one)),
  ).toEqual([]);
  expect(existsSync(out)).toBe(false);
});

/** Of what `--json` printed. */
function failedRules(output: string): ReportedRule[] {
  const { diagnostics } = JSON.parse(output) as JsonReport;
  return diagnostics.flatMap(({ severity, rule }) =>
    severity === 'error' && rule !== undefined ? [rule] : [],
  );
}
