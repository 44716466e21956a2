/** What pages were made of, kept in the workspace: of thirty datasets, one slice changes. */
import { readFile, writeFile } from 'node:fs/promises';

interface Kept {
  readonly inputs: string;
  readonly result: unknown;
}

export interface Derivations {
  /** The result that is kept of these inputs, else that of `make`, as JSON has it. */
  derive<Result>(name: string, inputs: string, make: () => Promise<Result>): Promise<Result>;
  /** Keeps what was asked for since, and nothing else. */
  save(): Promise<void>;
}

/** Without a file, or where its writing was interrupted, everything is made. */
export async function readDerivations(file: string | null): Promise<Derivations> {
  const text = file === null ? null : await readFile(file, 'utf8').catch(() => null);
  const before = new Map(parseKept(text));
  const asked = new Map<string, Kept>();
  return {
    async derive<Result>(name: string, inputs: string, make: () => Promise<Result>): Promise<Result> {
      const known = before.get(name);
      // Always by way of JSON, so that what is made now and what was kept cannot differ.
      const result =
        known?.inputs === inputs ? known.result : (JSON.parse(JSON.stringify(await make())) as unknown);
      asked.set(name, { inputs, result });
      return result as Result;
    },
    async save() {
      // Without it the next build only does more than it had to.
      if (file !== null) await writeFile(file, JSON.stringify([...asked])).catch(() => undefined);
    },
  };
}

function parseKept(text: string | null): [string, Kept][] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(one: unknown): one is [string, Kept] {
  if (!Array.isArray(one) || typeof one[0] !== 'string') return false;
  const kept: unknown = one[1];
  return typeof kept === 'object' && kept !== null && 'inputs' in kept && 'result' in kept;
}
