/** One copy of the project in which mutations are tried, one after another. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { roomOf } from './choice.ts';
import { type Mutation, mutatedText } from './sites.ts';

const run = promisify(execFile);

/** What came of a mutation: the test that failed twice, or null if none did. */
export interface Outcome {
  readonly caughtBy: string | null;
  readonly seconds: number;
}

/** Tests beside those named for the room that show its faults early. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  'site/edge': ['test/conformance'],
  'site/query': ['test/edge', 'test/conformance'],
};

/** A test may fail by chance: what failed is run again alone, and a run that failed by chance is repeated. */
const TRIES = 3;

const OUTPUT = 64 * 2 ** 20;

export class TrialCopy {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async of(project: string, folder: string): Promise<TrialCopy> {
    await rm(folder, { recursive: true, force: true });
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: project,
      maxBuffer: OUTPUT,
    });
    for (const file of stdout.split('\0').filter(name => name !== '')) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await cp(path.join(project, file), path.join(folder, file));
    }
    await symlink(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
    return new TrialCopy(folder);
  }

  /** Runs `work` with the mutation in place. */
  async with<Result>(mutation: Mutation, work: () => Promise<Result>): Promise<Result> {
    const file = path.join(this.#folder, mutation.file);
    const text = await readFile(file, 'utf8');
    await writeFile(file, mutatedText(text, mutation));
    try {
      return await work();
    } finally {
      await writeFile(file, text);
    }
  }

  /** False if the compiler refuses the sources, which no test has to. */
  async compiles(): Promise<boolean> {
    return run('npm', ['run', '--silent', 'types'], { cwd: this.#folder, maxBuffer: OUTPUT }).then(
      () => true,
      () => false,
    );
  }

  /** Runs the tests nearest to the room, then all of them, until one fails. */
  async try(mutation: Mutation): Promise<Outcome> {
    const started = performance.now();
    const room = roomOf(mutation.file);
    const near = [`test/${room.split('/')[1] ?? ''}/`, ...(NEIGHBOURS[room] ?? [])];
    const caughtBy = (await this.#failure(near)) ?? (await this.#failure([]));
    return { caughtBy, seconds: Math.round((performance.now() - started) / 1000) };
  }

  async #failure(tests: readonly string[]): Promise<string | null> {
    for (let left = TRIES; left > 0; left -= 1) {
      const first = await this.#run(tests);
      if (first === null) return null;
      const again = await this.#run([first.file]);
      if (again !== null) return `${again.file} > ${again.name}`;
    }
    return null;
  }

  /** The first failure of a run, or null. */
  async #run(tests: readonly string[]): Promise<{ file: string; name: string } | null> {
    const report = path.join(this.#folder, 'report.json');
    await rm(report, { force: true });
    const exitedWell = await run(
      'npx',
      [
        'vitest',
        'run',
        '--bail=1',
        '--passWithNoTests',
        '--reporter=json',
        `--outputFile=${report}`,
        ...tests,
      ],
      { cwd: this.#folder, maxBuffer: OUTPUT },
    ).then(
      () => true,
      () => false,
    );
    if (exitedWell) return null;
    const written = await readFile(report, 'utf8').catch(() => null);
    if (written === null) return { file: tests[0] ?? '', name: 'the run itself' };
    const { testResults }: Report = JSON.parse(written);
    const file = testResults.find(result => result.status === 'failed');
    const test = file?.assertionResults.find(result => result.status === 'failed');
    return {
      file: file === undefined ? '' : path.relative(this.#folder, file.name),
      name: test?.fullName ?? file?.message?.split('\n')[0] ?? 'the run itself',
    };
  }
}

/** What is used of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}
