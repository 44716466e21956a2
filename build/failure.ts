/** A build that cannot go on, as a value of the outermost layers: what is wrong, where, what to do, and how to exit. */
import type { CheckOutcome } from './check/check.ts';
import { type Diagnostic, formatDiagnostic } from './contract/diagnostic.ts';

/** Process exit codes of every command; the README lists them. */
export const EXIT = { done: 0, refused: 1, usage: 2, unable: 3 } as const;

export interface FailedCheck {
  /** Key of the dataset or dimension. */
  readonly subject: string;
  readonly outcome: CheckOutcome;
}

/** What a refusal means where a tree was to be made. */
export const NOTHING_PUBLISHED = 'Nothing was published.';

/** The input is refused: contracts, lake, rows or tree are wrong. */
export class RefusedError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly FailedCheck[];

  constructor(diagnostics: readonly Diagnostic[], failures: readonly FailedCheck[] = []) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
    this.failures = failures;
  }
}

/** The machine cannot do it now: a full disk, another build, a folder that is not ours. Nothing was changed. */
export class UnableError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
