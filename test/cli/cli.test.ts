/** The program and its commands: output and exit codes. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonReport } from '../../build/cli/problem-report.ts';
import { edit } from '../contract/base-contract.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { newPublisher, temporaryFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';
import { command } from './command.ts';
import { civic } from './program.ts';

const publisher = await keptWeather();

/** A lake in which six rows of 2021 break a rule. */
const BROKEN_ROWS = {
  [rainFile(2021, 'regions')]: `SELECT * REPLACE (-0.5 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`,
};

describe('the program', () => {
  test('without a terminal there are lines, without color or bar', async () => {
    const out = path.join(await temporaryFolder(), 'plain');
    const build = await civic(publisher.with({ out }).arguments());
    const again = await civic(publisher.with({ out }).arguments());
    const verify = await civic(['verify', out]);
    const check = await civic(['check', '--contracts', publisher.contracts, '--data', publisher.data]);
    const validate = await command('validate', '--contracts', publisher.contracts);
    for (const { code, stdout, stderr } of [build, again, verify, check, validate]) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(/[\u001b\r█░]/);
      expect(stdout).toMatch(/\.\n$/);
    }
    expect(build.stdout).toMatch(/^Release 2031-05-17-[0-9a-f]{8} is at .*: 2 datasets, 87 rows, /);
    // Checks and writing run at the same time. Reading says nothing unless it takes long.
    const lines = build.stderr.split('\n').filter(line => line !== '' && !line.startsWith('Reading'));
    expect(lines.sort()).toEqual([
      'Checking 3 subjects',
      'Checking: done',
      expect.stringMatching(/^Writing \d+ files$/),
      'Writing: done',
    ]);
    expect(again).toMatchObject({ stderr: '', stdout: expect.stringMatching(/^Nothing changed: /) });
    expect(verify.stderr).toMatch(
      /^Verifying \d+ files\nVerifying: done\nComparing \d+ slices and copies\nComparing: done\n$/,
    );
    expect(verify.stdout).toMatch(/verified: every hash is right/);
  });

  test('reports a wrong command line as JSON, and has help', async () => {
    const wrong = await civic(['validate', '--contracts', 'a', '--contract', 'b', '--json']);
    expect([wrong.code, wrong.stderr]).toEqual([2, '']);
    const message = expect.stringMatching(/^unknown option '--contract' .*--contracts/);
    const diagnostics = [{ severity: 'error', code: 'usage', message }];
    expect(JSON.parse(wrong.stdout)).toEqual({ ok: false, diagnostics });
    const { code, stdout } = await civic(['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}check .*\n {2}build /m);
    expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /);
    expect(stdout).toContain('$ civic build');
  });
});

const INPUTS = '--contracts a --data b';
test.each([
  ['', /Usage: civic/],
  ['publish', /unknown command 'publish'/],
  ['serve dist --port 99999', /65535/],
  ['snapshot dist', /--out <file>' not specified/],
  ['diff dist', /missing required argument 'new'/],
  [`check ${INPUTS} --jobs 0`, /whole number from 1/],
  [`check ${INPUTS} --memory much`, /800MB/],
  [`build ${INPUTS} --out c --release-date 2031-02-29`, /YYYY-MM-DD/],
  [`build ${INPUTS} --out c --base-url ftp://x`, /https:/],
])('a wrong command line: civic %s', async (line, says) => {
  const args = line.split(' ').filter(one => one !== '');
  // Options that only the program has.
  const { code, stdout, stderr } = await (/^(|publish|serve.*)$/.test(line) ? civic(args) : command(...args));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(says);
});

test('texts of contracts and lakes move no cursor and add no line', async () => {
  const { contracts, data } = await publisher.copy();
  const rule = 'name: some_rows, description: "\\e]0;owned\\a\\e[2J\\nfine:1:1 all is well"';
  const text = edit(RAINFALL, ['name: some_rows', rule], ['mustBeGreaterThan: 0', 'mustBe: 0']).text;
  await writeTexts(contracts, { 'rain/rainfall.yaml': text });
  await writeTexts(data, { 'x\u001b[2J\ny.parquet': '' });
  const { code, stdout, stderr } = await command('check', '--contracts', contracts, '--data', data);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('\\u001b[2J');
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^(fine|y)/m);
});

describe('what is refused', () => {
  test('a broken row: code 1, the rule, the slice, the count and the rows, on standard error', async () => {
    const copy = await publisher.copyBuilt();
    await copy.writeRows(BROKEN_ROWS);
    const before = await copy.snapshot();
    const build = await civic(copy.arguments());
    expect([build.code, build.stdout]).toEqual([1, '']);
    expect(build.stderr).toMatch(/climate\/rainfall error rule rain_mm_range: rain_mm is 0 to 9000/);
    expect(build.stderr).toMatch(
      /Found 6, must be 0\.\n {2}In 2021 regions \(6\)\.\n {2}The rule is at \S+rainfall\.yaml:\d+:\d+\.\n( {2}\{.*"rain_mm":-0.5.*\}\n){5}/,
    );
    expect(build.stderr).toMatch(/1 error\. Nothing was published\.\n$/);
    expect(await copy.snapshot()).toEqual(before);

    const check = ['check', '--contracts', copy.contracts, '--data', copy.data];
    // A command that never publishes doesn't say so.
    expect((await command(...check)).stderr).toMatch(/\n1 error\.\n$/);
    const { code, stdout } = await command(...check, '--json');
    expect(code).toBe(1);
    const { diagnostics } = JSON.parse(stdout) as JsonReport;
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      ...{ severity: 'error', code: 'rule-failed', file: path.join(copy.contracts, 'rain/rainfall.yaml') },
      message: 'climate/rainfall: rule rain_mm_range: rain_mm is 0 to 9000. Found 6, must be 0.',
      line: RAINFALL.split('\n').findIndex(line => line.includes('name: rain_mm')) + 1,
      rule: {
        ...{ subject: 'climate/rainfall', name: 'rain_mm_range', result: 'failed', found: 6 },
        slices: [{ year: 2021, detail: 'regions', count: 6 }],
        rows: Array(5).fill(expect.objectContaining({ rain_mm: -0.5 })),
      },
    });
  });
});

/**
 * `--json` prints one shape: every finding has a severity and is in `diagnostics`, however a command ends.
 */
describe('--json', () => {
  /** A file that isn't a contract, and a rule that only warns. */
  const WARNED = {
    ...CONTRACTS,
    'rain/rainfall.yaml': RAINFALL.replace(
      '    quality:\n      - { name: some_rows',
      '    quality:\n      - { name: no_rows, type: sql, severity: warning, query: "SELECT COUNT(*) FROM {object}", mustBe: 0 }\n      - { name: some_rows',
    ),
    'notes.yaml': 'kind: Notes\n',
  };
  const WARNINGS = ['warning not-a-contract', 'warning rule-warned'];

  async function ask(...args: readonly string[]) {
    const { code, stdout, stderr } = await command(...args, '--json');
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toHaveLength(2);
    const report = JSON.parse(stdout) as JsonReport;
    expect(report.ok).toBe(code === 0);
    return { code, found: report.diagnostics.map(one => `${one.severity} ${one.code}`).sort(), report };
  }

  test('warnings are warnings where the command passes, and beside errors', async () => {
    const { root, contracts, data, out } = await newPublisher(WARNED, LAKE);
    const at = (name: string) => path.join(root, name);
    const broken = { ...LAKE, ...BROKEN_ROWS };
    await writeRows(at('broken'), broken);
    await writeTexts(at('deleting'), {
      ...WARNED,
      'rain/rainfall.yaml': RAINFALL.replace('"SELECT', '"DELETE'),
    });
    await cp(publisher.out, at('damaged'), { recursive: true, preserveTimestamps: true });
    await rm(at('damaged/urls.txt'));
    const places: Readonly<Record<string, readonly string[]>> = {
      INPUTS: ['--contracts', contracts, '--data', data],
      CLEAN: ['--contracts', publisher.contracts, '--data', publisher.data],
      REFUSED: ['--contracts', contracts, '--data', at('broken')],
      CONTRACTS: ['--contracts', contracts],
      OUT: [out],
    };
    const counted = { datasets: 2, rows: 87 };
    const cases: readonly (readonly [line: string, code: number, found: readonly string[], has?: object])[] =
      [
        ['validate CONTRACTS', 0, WARNINGS.slice(0, 1), { files: 6, datasets: 2, dimensions: 2 }],
        ['check INPUTS', 0, WARNINGS, counted],
        ['build INPUTS --out OUT', 0, WARNINGS, { changed: true, ...counted }],
        // A command with nothing to do prints nothing.
        ['build INPUTS --out OUT', 0, [], { changed: false, ...counted }],
        ['build INPUTS --cache @cache --shard 1/1', 0, []],
        ['build INPUTS --cache @cache --out @merged', 0, WARNINGS, { changed: true, ...counted }],
        ['verify OUT', 0, [], { slices: 16 }],
        ['diff OUT @merged', 0, []],
        ['snapshot OUT --out @tree.zip', 0, []],
        ['query climate/rainfall --base OUT --explain', 0, []],
        ['check CLEAN --strict', 0, [], counted],
        ['verify @damaged', 1, ['error tree-missing-file']],
        ['validate CONTRACTS --strict', 1, ['warning not-a-contract']],
        ['check INPUTS --strict', 1, ['warning not-a-contract']],
        ['validate --contracts @deleting', 1, ['error rule-query', 'warning not-a-contract']],
        ['check REFUSED', 1, ['error rule-failed', ...WARNINGS]],
        ['build REFUSED --out @refused', 1, ['error rule-failed', ...WARNINGS]],
        ['build CONTRACTS --data /nowhere --out OUT', 3, ['error lake-unreadable']],
        ['validate --contracts /nowhere', 3, ['error contracts-unreadable']],
        ['verify @lake', 3, ['error not-a-tree']],
        ['query climate/snow --base OUT', 2, ['error not-published']],
      ];
    for (const [line, code, found, has = {}] of cases) {
      const words = line.split(' ').map(word => word.replace(/^@/, `${root}/`));
      const told = await ask(...words.flatMap(word => places[word] ?? [word]));
      expect([line, told.code, told.found]).toEqual([line, code, [...found].sort()]);
      expect(told.report).toMatchObject(has);
    }
    const { stderr } = await command('validate', '--contracts', contracts, '--strict');
    expect(stderr).toMatch(/\n1 warning, which --strict refuses\.\n$/);
  });
});
