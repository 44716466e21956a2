/** Runs the programs that reach buckets and servers: aws, rsync, ssh, sh. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { UnableError } from './system-error.ts';

interface ToolOptions {
  /** Standard input of the program. */
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Returns what the program printed. Throws UnableError if it is missing or ends with an error. */
export function runTool(
  program: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<string> {
  const { child, ended } = spawnTool(program, args, options);
  child.stdin.end();
  return ended;
}

/** A running program that waits for the end of its input. */
interface StartedTool {
  /** The first line that it printed. */
  readonly line: string;
  isOver(): boolean;
  /** Ends its input and waits until it exits. */
  end(): Promise<void>;
}

/** Throws UnableError if the program is missing, or ends with an error before it prints a line. */
export async function startTool(
  program: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<StartedTool> {
  const { child, ended } = spawnTool(program, args, options);
  const first = new Promise<string>(done => child.stdout.once('data', (part: Buffer) => done(`${part}`)));
  const line = (await Promise.race([first, ended])).split('\n', 1)[0] ?? '';
  let over = false;
  const left = ended
    .catch(() => undefined)
    .then(() => {
      over = true;
    });
  return {
    line,
    isOver: () => over,
    async end() {
      child.stdin.end();
      await left;
    },
  };
}

function spawnTool(
  program: string,
  args: readonly string[],
  { input = '', environment = {} }: ToolOptions,
): { readonly child: ChildProcessWithoutNullStreams; readonly ended: Promise<string> } {
  const child = spawn(program, args, { env: { ...process.env, ...environment } });
  const ended = new Promise<string>((done, fail) => {
    const out: Buffer[] = [];
    let errors = '';
    child.stdout.on('data', (part: Buffer) => out.push(part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors += part;
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'is not installed' : `cannot be run: ${error.message}`;
      fail(new UnableError('tool-missing', `${program} ${why}. This destination needs it.`));
    });
    child.on('close', (code, signal) => {
      if (code === 0) return done(Buffer.concat(out).toString('utf8'));
      const said = errors.trim().split('\n').slice(-5).join('\n') || `it ended with ${signal ?? code}`;
      fail(new UnableError('tool-failed', `${program} ${args.slice(0, 2).join(' ')}: ${said}`));
    });
  });
  // A program that stops reading early reports its own error.
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  return { child, ended };
}
