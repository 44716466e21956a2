import type { Place } from './dataset.ts';
import { type Diagnostic, diagnosticAt, hasErrors } from './diagnostic.ts';
import { inert } from './quoting.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

/** The most problems listed for one file: more would hide the first. */
const MAX_PER_FILE = 200;

/** Collects the problems of one document while it is read. Each has a place, given as a path in the document. */
export interface Problems {
  error(path: Path, code: string, message: string): void;
  warning(path: Path, code: string, message: string): void;
  /** An error at the key that the path ends in rather than at its value. */
  errorAtKey(path: Path, code: string, message: string): void;
  /** An error at a place that is already known. */
  errorAt(place: Place, code: string, message: string): void;
  warningAt(place: Place, code: string, message: string): void;
  readonly failed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  placeOf(path: Path): Place;
}

/** Creates a collector that starts with the problems found while the text was read. */
export function problemsOf(document: YamlDocument, found: readonly Diagnostic[] = []): Problems {
  const diagnostics = [...found];
  let failed = hasErrors(found);
  const add = (place: () => Place, severity: Diagnostic['severity'], code: string, message: string) => {
    failed ||= severity === 'error';
    if (diagnostics.length < MAX_PER_FILE)
      diagnostics.push(diagnosticAt(place(), severity, code, inert(message)));
    else if (diagnostics.length === MAX_PER_FILE) {
      const message = `the file has more than ${MAX_PER_FILE} problems: correct these first, then build again`;
      diagnostics.push(diagnosticAt(place(), 'error', 'more-problems', message));
      failed = true;
    }
  };
  return {
    error: (path, code, message) => add(() => document.placeOf(path), 'error', code, message),
    warning: (path, code, message) => add(() => document.placeOf(path), 'warning', code, message),
    errorAtKey: (path, code, message) => add(() => document.placeOfKey(path), 'error', code, message),
    errorAt: (place, code, message) => add(() => place, 'error', code, message),
    warningAt: (place, code, message) => add(() => place, 'warning', code, message),
    get failed() {
      return failed;
    },
    diagnostics,
    placeOf: path => document.placeOf(path),
  };
}
