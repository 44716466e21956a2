/** What every benchmark takes, prints and measures with. */
import { InvalidArgumentError } from 'commander';
import { writeSampleLake } from '../georgia/sample/lake.ts';

/** Reads an option. */
export const wholeNumber =
  (most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };

export function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A full-size lake of some datasets, or of all. */
export async function writeFullLake(out: string, only: readonly string[] | null): Promise<void> {
  const written = await writeSampleLake({ out, scale: 'full', seed: 1, ...(only && { only }) });
  if (!written.ok) throw new Error(JSON.stringify(written.problems));
}
