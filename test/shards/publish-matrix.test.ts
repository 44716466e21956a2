/** The steps of the workflow that splits a build over runners, run one after the other on this machine. */
import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { hostTarget } from '../../build/hosts/host-target.ts';
import { openPages } from '../explorer/explored-tree.ts';
import { buildPublisher, contents, RELEASE_DATE } from '../publishers/built-tree.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const WORKFLOW = path.join(ROOT, '.github/workflows/publish-matrix.yml');

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
  readonly steps: readonly { readonly name?: string; readonly run?: string; readonly env?: object }[];
}

let jobs: Readonly<Record<string, Job>>;
beforeAll(async () => {
  jobs = (parse(await readFile(WORKFLOW, 'utf8')) as { jobs: Record<string, Job> }).jobs;
});

function script(job: string, name: string): string {
  const run = jobs[job]?.steps.find(step => step.name === name)?.run;
  if (run === undefined) throw new Error(`The workflow has no step "${name}".`);
  return run;
}

/** As the runner runs a step: bash that stops at the first failure. */
async function runStep(text: string, folder: string, environment: Record<string, string>): Promise<void> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', text], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}/bin:${process.env.PATH}`, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
  const code = await new Promise(resolve => child.on('close', resolve));
  expect({ code, complaints }).toMatchObject({ code: 0 });
}

/** A checkout of somebody's repository, in which `npx civic` is the program. */
async function checkout(publisher: { contracts: string; data: string }): Promise<string> {
  const folder = await temporaryFolder();
  await cp(publisher.contracts, path.join(folder, 'contracts'), { recursive: true });
  await cp(publisher.data, path.join(folder, 'data/lake'), { recursive: true });
  await mkdir(path.join(folder, 'bin'));
  const npx = path.join(folder, 'bin/npx');
  await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}/lib/bin/civic.js" "$@"\n`);
  await chmod(npx, 0o755);
  return folder;
}

test('a job for each shard, and their merge, give the tree of a build in one go', async () => {
  const publisher = await writePublisher(await temporaryFolder());
  const base = 'https://data.example.org/';
  const host = hostTarget('github-pages', undefined, base, {});
  await buildPublisher(publisher, { baseUrl: base, pages: openPages(), host });
  const numbers = jobs.shard?.strategy?.matrix.shard ?? [];
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
  expect(numbers.length).toBeGreaterThan(1);
  expect(jobs.shard?.env).toMatchObject({
    CIVIC_SHARD_INDEX: '${{ strategy.job-index }}',
    CIVIC_SHARD_TOTAL: '${{ strategy.job-total }}',
  });
  const merging = await checkout(publisher);
  for (const index of numbers.keys()) {
    const runner = await checkout(publisher);
    const environment = {
      CIVIC_SHARD_INDEX: `${index}`,
      CIVIC_SHARD_TOTAL: `${numbers.length}`,
      RELEASE_DATE,
      LAKE: '',
      PREVIOUS: '',
    };
    await runStep(script('shard', 'build the shard'), runner, environment);
    await rename(path.join(runner, `shard-${index}.tar`), path.join(merging, `shard-${index}.tar`));
  }
  const environment = { BASE_URL: '', PAGES_URL: base, PREVIOUS: '' };
  await runStep(script('merge', 'merge the shards'), merging, environment);
  expect(await contents(path.join(merging, 'dist'))).toEqual(await contents(publisher.out));
});

test('what people type into the form reaches a shell as a variable alone', async () => {
  for (const [name, job] of Object.entries(jobs)) {
    for (const { run = '' } of job.steps)
      expect({ name, run }).toEqual({ name, run: run.replace('${{', '') });
  }
});
