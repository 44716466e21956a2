/** Runs a command, and turns every error into a message and an exit code. */
import { EXIT, RefusedError, UnableError } from '../failure.ts';
import { isMemoryShortage, MemoryShortage } from '../lake/memory-shortage.ts';
import { refusedPath, systemReason } from '../system-error.ts';
import type { Run, Shared } from './arguments.ts';
import { Terminal } from './terminal.ts';

export const runCommand: Run = async (options, action, consequence) => {
  const terminal = new Terminal(options.json === true);
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

/** What the machine refused: a full disk, a folder that may not be written, or a fault of ours. */
function unexpected(error: unknown, { memory }: Shared): UnableError {
  const message = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left|disk full/i.test(message)) {
    return new UnableError(
      'disk-full',
      'The disk is full. Nothing was published; free some space and build again.',
    );
  }
  if (isMemoryShortage(error)) {
    const what = error instanceof MemoryShortage ? message : 'DuckDB ran out of memory';
    const remedy =
      memory === undefined
        ? ''
        : `, with a limit of ${memory}. Raise the limit with --memory, or run with --jobs 1`;
    return new UnableError('out-of-memory', `${what}${remedy}.`);
  }
  if (/EADDRINUSE/.test(message))
    return new UnableError('port-taken', `${message}. Name another with --port; 0 takes a free one.`);
  if (/ENOTFOUND|EADDRNOTAVAIL/.test(message))
    return new UnableError('no-such-address', `${message}. Name an address of this machine with --listen.`);
  const reason = systemReason(error);
  const file = refusedPath(error);
  if (reason !== null && file !== null) {
    const denied = /EACCES|EPERM|EROFS/.test(message);
    return new UnableError(
      denied ? 'no-permission' : 'path-unusable',
      `${file} cannot be used: ${reason}. Name another path, or put it right.`,
    );
  }
  if (/EACCES|EPERM|EROFS|Permission denied/i.test(message)) return new UnableError('no-permission', message);
  return new UnableError('unexpected', message);
}
