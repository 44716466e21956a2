/** Runs the programs that reach hosts: aws, rsync, ssh, sh. */
import { spawn } from 'node:child_process';
import { UnableError } from '../failure.ts';

export interface ToolOptions {
  /** Standard input of the program. */
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Returns what the program printed. Throws UnableError if it is missing or ends with an error. */
export function runTool(
  program: string,
  args: readonly string[],
  { input = '', environment = {} }: ToolOptions = {},
): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { env: { ...process.env, ...environment } });
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
    // A program that stops reading early reports its own error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
