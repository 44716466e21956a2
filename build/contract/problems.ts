/** Collects the problems of one contract document, with their places. */
import type { Place } from './dataset.ts';
import { type Diagnostic, diagnosticAt, hasErrors, inert } from './diagnostic.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

/** Limit per file and severity. */
const MAX_PER_FILE = 200;

type Severity = Diagnostic['severity'];

/** Collects a contract's problems. Each is at a path in the document, or at a known place. */
export interface Problems {
  error(at: Path | Place, code: string, message: string): void;
  warning(at: Path | Place, code: string, message: string): void;
  note(at: Path | Place, code: string, message: string): void;
  /**
   * A statement that this service can't use: an error in a contract written for it, otherwise a warning,
   * because the statement may be meant for another tool.
   */
  doubt(at: Path | Place, code: string, message: string): void;
  /** A problem with the last key of the path, not with its value. */
  atKey(severity: Severity, path: Path, code: string, message: string): void;
  /** What the build assumes because the contract doesn't say. `table` is null for the whole contract. */
  guess(table: string | null, what: string): void;
  readonly guesses: ReadonlyMap<string | null, readonly string[]>;
  /** See `isNative`. */
  readonly native: boolean;
  readonly failed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  placeOf(path: Path): Place;
}

/** Starts with the problems found while the text was parsed. */
export function problemsOf(
  document: YamlDocument,
  found: readonly Diagnostic[] = [],
  native = true,
): Problems {
  const diagnostics = [...found];
  const counts = new Map<Severity, number>();
  const guesses = new Map<string | null, string[]>();
  // Tables of a contract report the same problem of its head only once.
  const known = new Set<string>();
  let failed = hasErrors(found);
  const add = (place: () => Place, severity: Severity, code: string, message: string) => {
    failed ||= severity === 'error';
    const count = counts.get(severity) ?? 0;
    if (count > MAX_PER_FILE) return;
    const one =
      count < MAX_PER_FILE
        ? diagnosticAt(place(), severity, code, inert(message))
        : diagnosticAt(place(), severity, 'more-problems', tooMany(severity));
    const key = JSON.stringify(one);
    if (known.has(key)) return;
    known.add(key);
    counts.set(severity, count + 1);
    diagnostics.push(one);
  };
  const report =
    (severity: Severity): Problems['error'] =>
    (at, code, message) =>
      add(() => ('file' in at ? at : document.placeOf(at)), severity, code, message);
  return {
    error: report('error'),
    warning: report('warning'),
    note: report('note'),
    doubt: report(native ? 'error' : 'warning'),
    atKey: (severity, path, code, message) => add(() => document.placeOfKey(path), severity, code, message),
    guess: (table, what) => {
      const list = guesses.get(table) ?? [];
      if (!list.includes(what)) guesses.set(table, [...list, what]);
    },
    guesses,
    native,
    get failed() {
      return failed;
    },
    diagnostics,
    placeOf: path => document.placeOf(path),
  };
}

function tooMany(severity: Severity): string {
  const what = severity === 'error' ? 'problems' : `${severity}s`;
  return `the file has more than ${MAX_PER_FILE} ${what}: correct these first, then build again`;
}

/** Tables named in one note. */
const NAMED = 5;

export function guessNote({ guesses, failed, placeOf }: Problems): Diagnostic[] {
  if (failed || guesses.size === 0) return [];
  const tables = [...guesses].filter(([table]) => table !== null);
  const own = guesses.get(null) ?? [];
  const parts = [
    ...(own.length > 0 ? [own.join('; ')] : []),
    ...tables
      .slice(0, NAMED)
      .map(([table, list]) => `${tables.length > 1 || own.length > 0 ? `${table}: ` : ''}${list.join('; ')}`),
    ...(tables.length > NAMED ? [`and so for ${tables.length - NAMED} more tables`] : []),
  ];
  const message = `what the contract leaves open is guessed. ${parts.join('. ')}. State what is wrong`;
  return [diagnosticAt(placeOf([]), 'note', 'contract-guesses', inert(message))];
}
