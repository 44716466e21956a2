/** The errors that end a command, and its exit codes. */
import type { SubjectOutcome } from './check/check.ts';
import { type Diagnostic, formatDiagnostic } from './contract/diagnostic.ts';

export { UnableError } from './system-error.ts';

/** `civic --help` lists them. */
export const EXIT = { done: 0, refused: 1, usage: 2, unable: 3 } as const;

/** The end of a failed build's message. */
export const NOTHING_PUBLISHED = 'Nothing was published.';

/** The contracts, the lake, rows or the tree have errors. */
export class RefusedError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly SubjectOutcome[];

  constructor(diagnostics: readonly Diagnostic[], failures: readonly SubjectOutcome[] = []) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
    this.failures = failures;
  }
}

/** A RefusedError about one file. */
export function refused(code: string, file: string, message: string): RefusedError {
  return new RefusedError([{ severity: 'error', code, file, message }]);
}
