/**
 * A chunk of the bundled program, and what V8 compiled it to when it was bundled, which is kept beside it: a process that
 * parses and compiles a megabyte of source takes a tenth as long for that as for a changed slice.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/** Bytes of SHA-256, in front of what V8 keeps: it takes what is damaged as it is, and falls. */
const SEAL = 32;

export interface Chunk {
  /** Runs it, as Node runs a CommonJS module. */
  readonly run: (
    exports: object,
    require: (name: string) => unknown,
    module: { exports: object },
    __filename: string,
    __dirname: string,
  ) => void;
  /** Whether V8 took what was kept. */
  readonly kept: boolean;
}

/** Compiled anew where nothing is kept, or what is kept is damaged, of another text or of another version of V8. */
export function readChunk(file: string): Chunk {
  const text = textOf(file);
  const kept = readKept(file);
  const code = kept?.subarray(SEAL);
  const sound = code !== undefined && kept?.subarray(0, SEAL).equals(sealOf(text, code));
  const script = compile(file, text, sound ? code : undefined);
  return { run: script.runInThisContext() as Chunk['run'], kept: script.cachedDataRejected === false };
}

/** Keeps what V8 compiles of a chunk, functions that nothing has called yet too. */
export function writeCode(file: string): void {
  const text = textOf(file);
  setFlagsFromString('--no-lazy');
  const script = compile(file, text);
  // Code is only taken by a V8 that has the flags under which it was kept.
  setFlagsFromString('--lazy');
  const code = script.createCachedData();
  writeFileSync(codeFile(file), Buffer.concat([sealOf(text, code), code]));
}

/** Beside the chunk. */
export function codeFile(file: string): string {
  return `${file}.code`;
}

function compile(filename: string, text: string, cachedData?: Buffer): Script {
  return new Script(text, {
    filename,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** As Node wraps a CommonJS module. */
function textOf(file: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, 'utf8')}\n})`;
}

function readKept(file: string): Buffer | undefined {
  try {
    return readFileSync(codeFile(file));
  } catch {
    return undefined;
  }
}

function sealOf(text: string, code: Buffer): Buffer {
  return createHash('sha256').update(text).update(code).digest();
}
