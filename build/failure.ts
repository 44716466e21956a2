/** The failures that end a command, and its exit codes. */
import type { CheckOutcome } from './check/check.ts';
import { type Diagnostic, formatDiagnostic } from './contract/diagnostic.ts';

/** Process exit codes of every command; `civic --help` lists them. */
export const EXIT = { done: 0, refused: 1, usage: 2, unable: 3 } as const;

export interface FailedCheck {
  /** Key of the dataset or dimension. */
  readonly subject: string;
  readonly outcome: CheckOutcome;
}

/** Ends the message of a command that would have written a tree. */
export const NOTHING_PUBLISHED = 'Nothing was published.';

/** Refuses the input: contracts, lake, rows or tree have errors. */
export class RefusedError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly FailedCheck[];

  constructor(diagnostics: readonly Diagnostic[], failures: readonly FailedCheck[] = []) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
    this.failures = failures;
  }
}

/** The machine cannot do it now: a full disk, another build, a folder that no build wrote. Nothing was changed. */
export class UnableError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
