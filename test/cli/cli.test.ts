/** The program: what it prints where, and how it exits. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildArguments, snapshot } from '../publishers/built-tree.ts';
import {
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';
import { civic } from './program.ts';

let publisher: PublisherFolder;
beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'));
  expect(await civic(buildArguments(publisher))).toMatchObject({ code: 0 });
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

const COMMANDS = ['validate', 'check', 'build', 'verify', 'serve'];

describe('--help', () => {
  test.each(COMMANDS)('of %s has an example', async command => {
    const { code, stdout, stderr } = await civic([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`Example:\\n {2}\\$ civic ${command} \\S`));
    expect(stdout).toContain('--json');
  });

  test('of the program has the commands, the exit codes and an example', async () => {
    const { code, stdout } = await civic(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /);
    expect(stdout).toContain('$ civic build');
  });
});

test('words of contracts and lakes move no cursor and make no line', async () => {
  const other = await copyPublisher(publisher, await temporaryFolder());
  const rule = 'description: "\\e]0;owned\\a\\e[2J\\nfine:1:1 all is well"';
  const text = RAINFALL.replace('name: some_rows', () => `name: some_rows, ${rule}`);
  expect(text).not.toBe(RAINFALL);
  await writeTexts(other.contracts, {
    'rain/rainfall.yaml': text.replace('mustBeGreaterThan: 0', 'mustBe: 0'),
  });
  await writeTexts(other.data, { 'x\u001b[2J\ny.parquet': '' });
  const { code, stdout, stderr } = await civic([
    'check',
    '--contracts',
    other.contracts,
    '--data',
    other.data,
  ]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('\\u001b[2J');
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^(fine|y)/m);
});

describe('exit code 2, and a word on standard error, for a command line that is wrong', () => {
  const CASES: readonly { args: string[]; says: RegExp }[] = [
    { args: [], says: /Usage: civic/ },
    { args: ['publish'], says: /unknown command 'publish'/ },
    { args: ['snapshot', 'dist'], says: /--out <file>' not specified/ },
    {
      args: ['validate', '--contracts', 'a', '--contract', 'b'],
      says: /unknown option '--contract'\n.*--contracts/,
    },
    { args: ['diff', 'dist'], says: /missing required argument 'new'/ },
    { args: ['check', '--contracts', 'a', '--data', 'b', '--jobs', '0'], says: /whole number from 1/ },
    { args: ['check', '--contracts', 'a', '--data', 'b', '--memory', 'much'], says: /800MB/ },
    {
      args: ['build', '--contracts', 'a', '--data', 'b', '--out', 'c', '--release-date', '2031-02-29'],
      says: /YYYY-MM-DD/,
    },
    {
      args: ['build', '--contracts', 'a', '--data', 'b', '--out', 'c', '--base-url', 'ftp://x'],
      says: /https:/,
    },
    { args: ['serve', 'dist', '--port', '99999'], says: /65535/ },
  ];

  test.each(CASES)('civic $args', async ({ args, says }) => {
    const { code, stdout, stderr } = await civic(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });

  test.each([
    { args: ['--json'], says: /^unknown option '--json'\. Try civic --help\.$/ },
    {
      args: ['validate', '--contracts', 'a', '--contract', 'b', '--json'],
      says: /^unknown option '--contract' .*--contracts/,
    },
    { args: ['serve', 'dist', '--json', '--port', '99999'], says: /65535/ },
  ])('as an object for programs: civic $args', async ({ args, says }) => {
    const { code, stdout, stderr } = await civic(args);
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      diagnostics: [{ severity: 'error', code: 'usage', message: expect.stringMatching(says) }],
    });
  });
});

describe('what is refused', () => {
  test('a broken row: code 1, the rule, the slice, the count and the rows, on standard error', async () => {
    const copy = await copyPublisher(publisher, await temporaryFolder());
    await writeRows(copy.data, {
      [rainFile(2021, 'regions')]:
        `SELECT * REPLACE (-0.5 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`,
    });
    const before = await snapshot(publisher.out);
    const build = await civic(buildArguments({ ...copy, out: publisher.out }));
    expect([build.code, build.stdout]).toEqual([1, '']);
    expect(build.stderr).toMatch(/climate\/rainfall error rule rain_mm_range: rain_mm is 0 to 9000/);
    expect(build.stderr).toMatch(
      /Found 6, must be 0\.\n {2}In 2021 regions \(6\)\.\n {2}The rule is at \S+rainfall\.yaml:\d+:\d+\.\n( {2}\{.*"rain_mm":-0.5.*\}\n){5}/,
    );
    expect(build.stderr).toMatch(/1 error\. Nothing was published\.\n$/);
    expect(await snapshot(publisher.out)).toEqual(before);

    const { contracts, data } = copy;
    // What publishes nothing ever does not say so.
    const told = await civic(['check', '--contracts', contracts, '--data', data]);
    expect(told.stderr).toMatch(/\n1 error\.\n$/);
    const check = await civic(['check', '--contracts', contracts, '--data', data, '--json']);
    expect(check.code).toBe(1);
    expect(JSON.parse(check.stdout)).toMatchObject({
      ok: false,
      diagnostics: [
        {
          severity: 'error',
          code: 'rule-failed',
          message: 'climate/rainfall: rule rain_mm_range: rain_mm is 0 to 9000. Found 6, must be 0.',
          file: path.join(contracts, 'rain/rainfall.yaml'),
          line: RAINFALL.split('\n').findIndex(line => line.includes('name: rain_mm')) + 1,
          rule: {
            subject: 'climate/rainfall',
            name: 'rain_mm_range',
            result: 'failed',
            found: 6,
            slices: [{ year: 2021, detail: 'regions', count: 6 }],
            rows: Array.from({ length: 5 }, () => expect.objectContaining({ rain_mm: -0.5 })),
          },
        },
      ],
    });
  });

  test('a broken file and a broken rule: code 1, the place and the remedy', async () => {
    const copy = await copyPublisher(publisher, await temporaryFolder());
    await writeTexts(copy.data, { [rainFile(2021, 'nation')]: '' });
    const broken = await civic(buildArguments(copy));
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(
      /^climate\/rainfall\/year=2021\/nation\.parquet lake-unreadable-file .*0 bytes.*Write it again/m,
    );
    const contract = RAINFALL.replace('SELECT COUNT(*) FROM {object}', 'SELECT SUM(snow) FROM {object}');
    await writeTexts(copy.contracts, { 'rain/rainfall.yaml': contract });
    for (const command of ['validate', 'check']) {
      const data = command === 'check' ? ['--data', publisher.data] : [];
      const { code, stdout } = await civic([command, '--contracts', copy.contracts, ...data, '--json']);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        diagnostics: [
          {
            severity: 'error',
            code: 'rule-does-not-bind',
            line: 66,
            file: expect.stringMatching(/rain\/rainfall\.yaml$/),
          },
        ],
      });
    }
  });

  test('a damaged tree: code 1', async () => {
    const copy = await copyPublisher(publisher, await temporaryFolder());
    expect((await civic(buildArguments(copy))).code).toBe(0);
    await rm(path.join(copy.out, 'urls.txt'));
    const { code, stderr } = await civic(['verify', copy.out]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^urls\.txt tree-missing-file /m);
  });

  test.each([
    {
      what: 'a lake that is not there',
      args: (p: PublisherFolder) => buildArguments({ ...p, data: '/nowhere' }),
      says: 'lake-unreadable',
    },
    {
      what: 'contracts that are not there',
      args: () => ['validate', '--contracts', '/nowhere'],
      says: 'contracts-unreadable',
    },
    {
      what: 'a folder that is no tree',
      args: (p: PublisherFolder) => ['verify', p.data],
      says: 'not-a-tree',
    },
  ])('$what: code 3', async ({ args, says }) => {
    const { code, stdout, stderr } = await civic(args(publisher));
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(new RegExp(`^${says} `));
    const json = await civic([...args(publisher), '--json']);
    expect([json.code, json.stderr]).toEqual([3, '']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      diagnostics: [{ severity: 'error', code: says }],
    });
  });
});

describe('--json', () => {
  const CASES: readonly { command: string; args: (p: PublisherFolder) => string[]; has: object }[] = [
    {
      command: 'validate',
      args: p => ['validate', '--contracts', p.contracts],
      has: { files: 5, datasets: 2, dimensions: 2 },
    },
    {
      command: 'check',
      args: p => ['check', '--contracts', p.contracts, '--data', p.data],
      has: { datasets: 2, rows: 87 },
    },
    { command: 'build', args: p => buildArguments(p), has: { changed: false, datasets: 2, rows: 87 } },
    {
      command: 'build --strict',
      args: p => buildArguments(p, '--strict'),
      has: { changed: true, diagnostics: [] },
    },
    { command: 'verify', args: p => ['verify', p.out], has: { slices: 16 } },
  ];

  test.each(CASES)(
    'of $command is one object on standard output, and nothing else',
    async ({ args, has }) => {
      const { code, stdout, stderr } = await civic([...args(publisher), '--json']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.split('\n')).toHaveLength(2);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, ...has });
    },
  );
});

test('away from a terminal there are lines, without colour or bar', async () => {
  const out = path.join(publisher.root, 'plain');
  const runs = [
    await civic(buildArguments({ ...publisher, out })),
    await civic(buildArguments({ ...publisher, out })),
    await civic(['verify', out]),
    await civic(['check', '--contracts', publisher.contracts, '--data', publisher.data]),
    await civic(['validate', '--contracts', publisher.contracts]),
  ];
  for (const { code, stdout, stderr } of runs) {
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/[\u001b\r█░]/);
    expect(stdout).toMatch(/\.\n$/);
  }
  expect(runs[0]?.stdout).toMatch(/^Release 2031-05-17-[0-9a-f]{8} is at .*: 2 datasets, 87 rows, /);
  // Checking and writing go on side by side.
  expect(runs[0]?.stderr.trim().split('\n').sort()).toEqual([
    'Checking 3 subjects',
    'Checking: done',
    expect.stringMatching(/^Reading \d+ files$/),
    'Reading: done',
    expect.stringMatching(/^Writing \d+ files$/),
    'Writing: done',
  ]);
  expect(runs[2]?.stderr).toMatch(
    /^Verifying \d+ files\nVerifying: done\nComparing \d+ slices and histories\nComparing: done\n$/,
  );
  expect(runs[1]).toMatchObject({ stderr: '', stdout: expect.stringMatching(/^Nothing changed: /) });
  expect(runs[2]?.stdout).toMatch(/verified: every hash is right/);
});
