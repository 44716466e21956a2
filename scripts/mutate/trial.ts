/** A copy of the project in which mutations are tried. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Mutation, mutatedText } from './mutations.ts';

const run = promisify(execFile);

/** Other folders of test/ that ask for what a room does: most tests of a build are about a later step's result. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  'build/cache': ['pipeline', 'lake'],
  'build/check': ['georgia'],
  'build/cli': ['draft', 'releases'],
  'build/contract': ['check', 'documents', 'slice'],
  'build/documents': ['conformance'],
  'build/format': ['query', 'edge', 'documents'],
  'build/hosts': ['deploy', 'conformance'],
  'build/lake': ['slice', 'draft', 'pipeline'],
  'build/pipeline': ['releases', 'cache', 'tree'],
  'build/plan': ['cache', 'pipeline', 'releases', 'slice', 'conformance'],
  'build/releases': ['memory', 'pipeline'],
  'build/slice': ['conformance'],
  'build/tree': ['pipeline', 'faults', 'deploy'],
  'site/edge': ['conformance', 'deploy'],
  'site/query': ['edge', 'conformance'],
};

/** Folders of the tests about a room; none for files outside of rooms. */
export function nearestTests(room: string): readonly string[] {
  const [, name] = room.split('/');
  return name === undefined ? [] : [name, ...(NEIGHBOURS[room] ?? [])].map(folder => `test/${folder}/`);
}

/** A test may fail by chance. A failed one runs again alone; if it passes then, the whole run repeats. */
const TRIES = 3;

/** A mutation may make a test wait forever. */
const TIMEOUTS = ['--testTimeout=300000', '--hookTimeout=300000'];

/** Bytes of a program's output. */
const OUTPUT = 64 << 20;

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
    // Some tests clone the project.
    const git = (...rest: string[]) =>
      run('git', ['-c', 'user.name=mutate', '-c', 'user.email=mutate@localhost', ...rest], { cwd: folder });
    await git('init', '--quiet');
    await writeFile(path.join(folder, '.git/info/exclude'), 'node_modules\n');
    await git('add', '--all');
    await git('commit', '--quiet', '--message=the sources');
    return new TrialCopy(folder);
  }

  /** Runs `work` with the mutations in place. */
  async with<Result>(mutations: readonly Mutation[], work: () => Promise<Result>): Promise<Result> {
    const texts = new Map<string, string>();
    for (const name of new Set(mutations.map(({ file }) => file)))
      texts.set(name, await readFile(path.join(this.#folder, name), 'utf8'));
    try {
      for (const [name, text] of texts) {
        const own = mutations.filter(({ file }) => file === name);
        await writeFile(path.join(this.#folder, name), mutatedText(text, own));
      }
      return await work();
    } finally {
      for (const [name, text] of texts) await writeFile(path.join(this.#folder, name), text);
    }
  }

  /** Mutations that the compiler finds need no test. */
  async compiles(): Promise<boolean> {
    return run('npm', ['run', '--silent', 'types'], { cwd: this.#folder, maxBuffer: OUTPUT }).then(
      () => true,
      () => false,
    );
  }

  /** The first test of these files or folders that fails twice, the second time alone; null if none does. */
  async failureOf(tests: readonly string[]): Promise<string | null> {
    if (tests.length === 0) return null;
    for (let left = TRIES; left > 0; left -= 1) {
      const [first] = await this.#run(['--bail=1', ...tests]);
      if (first === undefined) return null;
      const [again] = await this.#run(['--bail=1', first.file]);
      if (again !== undefined) return `${again.file} > ${again.name}`;
    }
    return null;
  }

  /** The test files that fail twice, the second time alone; of all files by default. */
  async failingFiles(tests: readonly string[] = []): Promise<readonly string[]> {
    const files: string[] = [];
    for (const { file } of await this.#run(tests))
      if ((await this.#run(['--bail=1', file])).length > 0) files.push(file);
    return files;
  }

  /** The first failure of each file. */
  async #run(rest: readonly string[]): Promise<{ file: string; name: string }[]> {
    const report = path.join(this.#folder, 'report.json');
    await rm(report, { force: true });
    const exitedWell = await run(
      'npx',
      [
        'vitest',
        'run',
        '--passWithNoTests',
        '--reporter=json',
        ...TIMEOUTS,
        `--outputFile=${report}`,
        ...rest,
      ],
      { cwd: this.#folder, maxBuffer: OUTPUT },
    ).then(
      () => true,
      () => false,
    );
    if (exitedWell) return [];
    const written = await readFile(report, 'utf8').catch(() => null);
    // A test may also end the run itself, or leave an error behind that no test reports.
    const itself = [{ file: rest.at(-1) ?? '', name: 'the run itself' }];
    if (written === null) return itself;
    const { testResults }: Report = JSON.parse(written);
    const failed = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, message, assertionResults }) => ({
        file: path.relative(this.#folder, name),
        name:
          assertionResults.find(({ status }) => status === 'failed')?.fullName ??
          message?.split('\n')[0] ??
          'the run itself',
      }));
    return failed.length > 0 ? failed : itself;
  }
}

/** The part of vitest's JSON report that is used. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}
