/** Runs a command, and turns every error into a message and an exit code. */
import { onRunawayRule } from '../check/run-checks.ts';
import { EXIT, RefusedError, UnableError } from '../failure.ts';
import { isMemoryShortage, MemoryShortage, workOf } from '../lake/database.ts';
import { FILE_SHORTAGE, isFileShortage, refusedPath, systemReason } from '../system-error.ts';
import type { Run, Shared } from './arguments.ts';
import { refusalLines } from './problem-report.ts';
import { Terminal } from './terminal.ts';

export const runCommand: Run = async (options, action, consequence) => {
  const terminal = new Terminal(options.json === true);
  onRunawayRule(diagnostic => {
    terminal.refused(new RefusedError([diagnostic]), consequence);
    // A normal exit would wait for the statement, and memory would grow meanwhile.
    process.kill(process.pid, 'SIGKILL');
  });
  try {
    await action(terminal);
  } catch (error) {
    if (error instanceof RefusedError) {
      terminal.refused(error, consequence);
      process.exitCode = EXIT.refused;
    } else {
      terminal.unable(error instanceof UnableError ? error : unexpected(error, options));
      process.exitCode = EXIT.unable;
    }
  }
};

/** The lines that `runCommand` prints for an error. */
export function failureLines(error: unknown, options: Shared): string[] {
  if (error instanceof RefusedError) return refusalLines(error);
  const { code, message } = error instanceof UnableError ? error : unexpected(error, options);
  return [`${code} ${message}`];
}

/** An error that other code doesn't expect: a full disk, a folder without permission, or a bug. */
function unexpected(error: unknown, { memory }: Shared): UnableError {
  const message = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left|disk full/i.test(message)) {
    return new UnableError(
      'disk-full',
      'The disk is full. Nothing was published. Free some space and build again.',
    );
  }
  if (isFileShortage(error)) return new UnableError('too-many-files', FILE_SHORTAGE);
  if (isMemoryShortage(error)) {
    const what = error instanceof MemoryShortage ? message : 'DuckDB ran out of memory';
    const remedy =
      memory === undefined
        ? ''
        : `, with a limit of ${memory}. Raise the limit with --memory, or run with --jobs 1`;
    return new UnableError('out-of-memory', `${what}${remedy}.`);
  }
  if (/EADDRINUSE/.test(message))
    return new UnableError('port-taken', `${message}. Name another with --port; 0 picks a free one.`);
  if (/ENOTFOUND|EADDRNOTAVAIL/.test(message))
    return new UnableError(
      'no-such-address',
      `${message}. Name an address of this machine with --listen, and the port with --port.`,
    );
  const reason = systemReason(error);
  const file = refusedPath(error);
  if (reason !== null && file !== null) {
    const denied = /EACCES|EPERM|EROFS/.test(message);
    return new UnableError(
      denied ? 'no-permission' : 'path-unusable',
      `${file} cannot be used: ${reason}. Fix this, or name another path.`,
    );
  }
  if (/EACCES|EPERM|EROFS|Permission denied/i.test(message)) return new UnableError('no-permission', message);
  const work = workOf(error);
  const first = message.split('\n')[0] ?? message;
  return new UnableError('unexpected', work === null ? message : `${work}: ${first}`);
}
