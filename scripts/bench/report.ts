/** What every benchmark takes and prints. */
import { InvalidArgumentError } from 'commander';

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
