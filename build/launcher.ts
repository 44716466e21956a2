#!/usr/bin/env node
/** What people run: starts `civic` from its chunks, as V8 compiled them when they were bundled. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { readChunk } from './compiled-chunk.ts';

/** The chunk with which everything begins. */
const PROGRAM = 'program.js';

const require = createRequire(import.meta.url);
const loaded = new Map<string, { exports: object }>();

/** A chunk of the program by its name, once. Chunks may need each other in a circle. */
function load(name: string): object {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const file = path.join(import.meta.dirname, name);
  const chunk = { exports: {} };
  loaded.set(name, chunk);
  const needed = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : require(id));
  readChunk(file).run(chunk.exports, needed, chunk, file, import.meta.dirname);
  return chunk.exports;
}

load(PROGRAM);
