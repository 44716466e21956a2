/** What every benchmark is made of. */
import { type Command, InvalidArgumentError, type Option } from 'commander';

/** Compares this software with an alternative in one run on one machine. Each has a file of its own. */
export interface Bench {
  readonly name: string;
  readonly about: string;
  readonly options: readonly Option[];
  run(command: Command): Promise<void>;
}

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
