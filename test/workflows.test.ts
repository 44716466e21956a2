/** The workflows name commands and options that exist. test/cli runs those of the guides. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './house/project-files.ts';
import { temporaryFolder } from './publishers/publisher-folder.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>;

const manual = read('docs/commands.md');
const known = new Map<string, string>();

/** Options of a command from docs/commands.md, which test/documentation.test.ts compares with the program; null if it isn't there. */
function optionsOf(command: string): ReadonlySet<string> | null {
  const own = manual.split(`\n## civic ${command}\n`)[1]?.split('\n## ')[0];
  return own === undefined ? null : new Set(['--help', ...(own.match(/--[a-z][a-z-]*/g) ?? [])]);
}

/** The same of a script, from its help. */
function optionsOfScript(program: string, command = ''): ReadonlySet<string> {
  const key = `${program} ${command}`;
  const args = [program, ...(command ? [command] : []), '--help'];
  const help = known.get(key) ?? execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  known.set(key, help);
  return new Set(help.match(/--[a-z][a-z-]*/g));
}

/** Errors in our commands within shell text. */
function wrongCommands(text: string): string[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap(line => {
    const [, civic, script] = /\bnpx civic-data-service ([a-z]+)|\bnpm (?:run ([a-z:]+))/.exec(line) ?? [];
    if (civic === undefined && script === undefined) return [];
    if (script !== undefined && !(script in scripts)) return [`${line.trim()}: no script ${script}`];
    const [, main, command] = /node (lib\/\S+\.js)(?: ([a-z]+))?$/.exec(scripts[script ?? ''] ?? '') ?? [];
    if (civic === undefined && main === undefined) return [];
    const options = civic === undefined ? optionsOfScript(main ?? '', command) : optionsOf(civic);
    if (options === null) return [`${line.trim()}: no command ${civic}`];
    const named = line.split('#', 1)[0]?.match(/(?<=\s)--[a-z][a-z-]*/g) ?? [];
    return named.filter(name => !options.has(name)).map(name => `${line.trim()}: no option ${name}`);
  });
}

describe.each(readdirSync(path.join(ROOT, FOLDER)))('%s', name => {
  const text = read(`${FOLDER}/${name}`);
  const workflow = parse(text) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);
  const runs = steps.flatMap(step => (step.run === undefined ? [] : [step.run]));

  test('its commands, options and files exist', () => {
    expect(runs.flatMap(wrongCommands)).toEqual([]);
    const files = runs.flatMap(run => run.match(/\b(?:scripts|site|build)\/[\w./-]+/g) ?? []);
    expect(files.filter(file => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  test('what goes to GitHub Pages is built for it: within its limits, and with its 404.html', () => {
    if (!steps.some(({ uses }) => uses?.startsWith('actions/deploy-pages@'))) return;
    const builds =
      runs
        .join('\n')
        .replaceAll('\\\n', ' ')
        .match(/^ *npx civic-data-service build .* --out .*/gm) ?? [];
    expect(builds.length).toBeGreaterThan(0);
    expect(builds.filter(line => !line.includes(' --host github-pages '))).toEqual([]);
  });

  test('it publishes the lake of .github/lake.sh, and only that makes a sample', () => {
    expect(runs.filter(run => run.includes('npm run sample'))).toEqual([]);
    if (runs.some(run => run.includes('npx civic-data-service build')))
      expect(runs).toContain('.github/lake.sh');
  });

  test('it runs on the Node that README.md advises, and no test on one that package.json refuses', () => {
    const [, advised] = /Take Node (\d+)/.exec(read('README.md')) ?? [];
    const [, oldest] = /^>=(\d+)/.exec(JSON.parse(read('package.json')).engines.node) ?? [];
    const stated = [...text.matchAll(/node(?:-version)?: \[?(\d[\d, ]*)/g)].map(found => found[1]);
    const allowed = name === 'ci.yml' ? [`${oldest}, ${advised}`, advised] : [advised];
    expect([...new Set(stated)]).toEqual(allowed);
  });

  test('its scripts parse, and take input only from the environment', () => {
    for (const run of runs) {
      expect(run).not.toContain('${{');
      execFileSync('bash', ['-n'], { input: run });
    }
  });

  test('has few permissions: by default it reads, and its jobs end', () => {
    expect(workflow.permissions?.contents).toBe('read');
    const granted = jobs.flatMap(([, job]) => Object.keys(job.permissions ?? {}));
    expect(granted.filter(one => !['contents', 'pages', 'id-token', 'actions'].includes(one))).toEqual([]);
    for (const [job, { 'timeout-minutes': minutes }] of jobs)
      expect([job, minutes]).toEqual([job, expect.any(Number)]);
  });

  test('every action is pinned to a commit, and a comment says its version', () => {
    const uses = [...text.matchAll(/\buses:.*/g)].map(([line]) => line);
    expect(uses.length).toBe(steps.filter(step => step.uses !== undefined).length);
    for (const line of uses) expect(line).toMatch(/^uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('says which variables and secrets it needs', () => {
    const needed = [...text.matchAll(/\b(?:vars|secrets)\.(\w+)/g)].map(found => found[1] ?? '');
    const comment = text.match(/^#.*$/gm)?.join('\n') ?? '';
    expect(needed.filter(one => one !== 'GITHUB_TOKEN' && !comment.includes(one))).toEqual([]);
  });
});

describe('.github/lake.sh', () => {
  test.each([
    ['without a lake stops', '', '', 1, /::error::There is no data\/lake.*\.gitignore.*PUBLISH_SAMPLE/],
    ['with a sample stops', 'data/lake/_sample.json', '', 1, /::error::data\/lake is a sample of invented/],
    ['with a lake goes on', 'data/lake/a.csv', '', 0, /^$/],
    ['with a sample that was asked for goes on', 'data/lake/_sample.json', 'true', 0, /^$/],
    ['makes a sample that was asked for', '', 'true', 0, /^npm run sample$/],
    ['never makes one in place of a lake', 'data/lake/a.csv', 'true', 0, /^$/],
  ])('%s', async (_, file, sample, code, said) => {
    const folder = await temporaryFolder();
    writeFileSync(path.join(folder, 'npm'), '#!/bin/sh\necho npm "$@"\n', { mode: 0o755 });
    if (file !== '') {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(folder, file), '{}');
    }
    const { status, stdout } = spawnSync(path.join(ROOT, '.github/lake.sh'), {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, SAMPLE: sample },
      encoding: 'utf8',
    });
    expect(status).toBe(code);
    expect(stdout.trim()).toMatch(said);
  });
});

test('a wrong command is found', () => {
  expect(
    wrongCommands('npx civic-data-service build --contracts a --data b \\\n  --outt c\nnpm run nothing'),
  ).toHaveLength(2);
  expect(wrongCommands('npx civic-data-service bild --out a')).toHaveLength(1);
  expect(wrongCommands('npm run sample -- --kept 3')).toHaveLength(1);
});
