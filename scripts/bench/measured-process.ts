/** Runs one of our commands in its own process and measures it from outside. */
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Measured {
  readonly seconds: number;
  /** Processor seconds, user and system. */
  readonly processor: number;
  /** Largest resident size, in MiB. */
  readonly peak: number;
  readonly output: string;
}

const USAGE = fileURLToPath(new URL('./usage-preload.cjs', import.meta.url));

export async function runMeasured(script: string, args: readonly string[]): Promise<Measured> {
  const usageFile = path.join(
    os.tmpdir(),
    `civic-bench-${process.pid}-${Math.random().toString(36).slice(2)}`,
  );
  // Node reads a machine's own certificates at every start. Those 55 ms are not the command's.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', USAGE, script, ...args], {
    env: { ...env, CIVIC_BENCH_USAGE: usageFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    errors += part.toString();
  });
  const code = await new Promise<number | null>(done => child.once('close', done));
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`${path.basename(script)} ended with ${code}:\n${output}${errors}`);
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as NodeJS.ResourceUsage;
  await rm(usageFile);
  return {
    seconds,
    processor: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    peak: usage.maxRSS / 1024,
    output,
  };
}
