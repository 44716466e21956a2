/** A value kept in the workspace, known by a text that tells what it was made of. */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';

export interface Kept<Value> {
  /** The same key, the same value. */
  readonly key: string;
  readonly value: Value;
}

/** Null where none is kept, its writing was interrupted, or it was made of something else. */
export function readKept<Value>(file: string, key: string): Value | null {
  try {
    const kept = deserialize(readFileSync(file)) as Kept<Value>;
    return kept.key === key ? kept.value : null;
  } catch {
    return null;
  }
}

/** Without it the next build only does more than it had to. */
export function keepValue<Value>(file: string, key: string, value: Value): void {
  try {
    writeFileSync(file, serialize({ key, value } satisfies Kept<Value>));
  } catch {
    // The tree does not depend on it.
  }
}
