import type { Place } from './dataset.ts';
import { type Diagnostic, diagnosticAt, hasErrors } from './diagnostic.ts';
import { inert } from './quoting.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

/** After so many of one file, more would hide the first. */
const MAX_PER_FILE = 200;

/** What is found wrong in one document, collected while it is read, each at the place of a path. */
export interface Problems {
  error(path: Path, code: string, message: string): void;
  warning(path: Path, code: string, message: string): void;
  /** An error at the key that the path ends in rather than at its value. */
  errorAtKey(path: Path, code: string, message: string): void;
  /** At a place that was found earlier. */
  errorAt(place: Place, code: string, message: string): void;
  warningAt(place: Place, code: string, message: string): void;
  /** Whether there was an error. */
  readonly failed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  placeOf(path: Path): Place;
}

/** A collector that begins with what reading the text has found. */
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
