/** What pages are made of, kept in the workspace: of thirty datasets, one slice changes. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestText } from '../slice/file-digest.ts';
import { digestOf } from './build-state.ts';

/** Characters of a digest. */
const DIGEST = 64;

export interface Derivations {
  /** The result that is kept of these inputs, else that of `make`, as JSON has it. */
  derive<Result>(name: string, inputs: string, make: () => Promise<Result>): Promise<Result>;
  /** Keeps what was asked for since, and nothing else. */
  save(): void;
}

/**
 * `folder` has a file for each result, named by what it was made of, with a digest of its text before it; null keeps
 * nothing.
 */
export function openDerivations(folder: string | null): Derivations {
  const asked = new Set<string>();
  return {
    async derive<Result>(name: string, inputs: string, make: () => Promise<Result>): Promise<Result> {
      const file = `${digestOf([name, inputs])}.json`;
      const kept = folder === null ? null : readText(path.join(folder, file));
      asked.add(file);
      const known = parseKept<Result>(kept);
      if (known !== undefined) return known;
      // Always by way of JSON, so that what is made now and what was kept cannot differ.
      const text = JSON.stringify(await make());
      if (folder !== null) keepText(path.join(folder, file), text);
      return JSON.parse(text) as Result;
    },
    save() {
      if (folder === null) return;
      for (const file of listNames(folder))
        if (!asked.has(file)) rmSync(path.join(folder, file), { force: true });
    },
  };
}

/** Undefined where nothing is kept, or not as it was written. */
function parseKept<Result>(kept: string | null): Result | undefined {
  const text = kept?.slice(DIGEST) ?? '';
  return kept !== null && kept.slice(0, DIGEST) === digestText(text)
    ? (JSON.parse(text) as Result)
    : undefined;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Without it the next build only does more than it had to. */
function keepText(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, digestText(text) + text);
  } catch {
    // Pages do not depend on it.
  }
}
