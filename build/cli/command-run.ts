/** Declares commands, runs them, and turns every error into a message and an exit code. */
import { type Command, CommanderError, type Option } from 'commander';
import { onRunawayRule } from '../check/run-checks.ts';
import { EXIT, RefusedError, UnableError } from '../failure.ts';
import { isMemoryShortage, MemoryShortage, workOf } from '../lake/database.ts';
import { FILE_SHORTAGE, isFileShortage, refusedPath, systemReason } from '../system-error.ts';
import type { Shared } from './arguments.ts';
import { refusalLines } from './problem-report.ts';
import { Terminal } from './terminal.ts';

interface CommandEntry<Options> {
  readonly name: string;
  readonly description: string;
  /** Such as `[dir]`, with a description. `act` finds them in the command's `args`. */
  readonly operands?: readonly (readonly [name: string, description: string])[];
  readonly options: readonly Option[];
  /** After the options in the help. */
  readonly help: string;
  /** The end of a refusal's message. */
  readonly consequence?: string;
  readonly act: (options: Options, terminal: Terminal, command: Command) => Promise<void>;
}

/** Returns a function that adds the command to a program. */
export function defineCommand<Options extends Shared>(
  entry: CommandEntry<Options>,
): (program: Command) => void {
  const { name, description, operands = [], options, help, consequence, act } = entry;
  return program => {
    const command = program.command(name).description(description).addHelpText('after', help);
    for (const [operand, what] of operands) command.argument(operand, what);
    for (const option of options) command.addOption(option);
    command.action(() => {
      const given = command.opts<Options>();
      return runCommand(given, terminal => act(given, terminal, command), consequence);
    });
  };
}

/** The end of a command's help. */
export function examples(...commands: readonly string[]): string {
  return `\nExample:\n${commands.map(command => `  $ civic ${command}`).join('\n')}`;
}

async function runCommand(
  options: Shared,
  action: (terminal: Terminal) => Promise<void>,
  consequence?: string,
): Promise<void> {
  const terminal = new Terminal(options.json === true);
  onRunawayRule(diagnostic => {
    terminal.refused(new RefusedError([diagnostic]), consequence);
    // A normal exit would wait for the statement, and memory would grow meanwhile.
    process.kill(process.pid, 'SIGKILL');
  });
  try {
    await action(terminal);
  } catch (error) {
    // The command line is wrong, and commander has said so.
    if (error instanceof CommanderError) throw error;
    if (error instanceof RefusedError) {
      terminal.refused(error, consequence);
      process.exitCode = EXIT.refused;
    } else {
      terminal.unable(error instanceof UnableError ? error : unexpected(error, options));
      process.exitCode = EXIT.unable;
    }
  }
}

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
