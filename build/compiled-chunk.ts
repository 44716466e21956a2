/**
 * A chunk of the bundled program, and what V8 compiled it to when it was bundled, which is kept beside it: a process that
 * parses and compiles a megabyte of source takes a tenth as long for that as for a changed slice.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';

/**
 * V8 11, of Node 20, begins so early to optimize what runs that most builds of one slice are over before it pays; later
 * ones have a compiler in between. Whoever keeps code and whoever takes it must have the same flags.
 */
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=500000');

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
  const text = readFileSync(file);
  const kept = readKept(file);
  const code = kept?.subarray(SEAL);
  const sound = code !== undefined && kept?.subarray(0, SEAL).equals(sealOf(text, code));
  const script = compile(file, text, sound ? code : undefined);
  return { run: script.runInThisContext() as Chunk['run'], kept: script.cachedDataRejected === false };
}

/** Keeps what V8 compiles of a chunk, functions that nothing has called yet too. */
export function writeCode(file: string): void {
  const text = Buffer.from(inAscii(readFileSync(file, 'utf8')), 'latin1');
  writeFileSync(file, text);
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

/** As Node wraps a CommonJS module. */
function compile(filename: string, text: Buffer, cachedData?: Buffer): Script {
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${text.toString('latin1')}\n})`;
  return new Script(wrapped, {
    filename,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** One letter beyond Latin makes V8 hold twice the memory for the whole text, and read it in three times the time. */
function inAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function readKept(file: string): Buffer | undefined {
  try {
    return readFileSync(codeFile(file));
  } catch {
    return undefined;
  }
}

function sealOf(text: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(text).update(code).digest();
}
