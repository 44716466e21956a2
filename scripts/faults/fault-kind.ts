import type { Option } from 'commander';

/** A kind of fault: what goes wrong, and what must still hold. Each kind has a file of its own. */
export interface FaultKind {
  readonly name: string;
  /** One line for the help. */
  readonly about: string;
  /** How many faults to try unless `--runs` says otherwise. */
  readonly runs: number;
  /** Beside `--runs` and `--seed`. */
  readonly options?: readonly Option[];
  /** Prints its figures. Resolves to the number of faults after which something did not hold. */
  run(options: FaultOptions): Promise<number>;
}

export interface FaultOptions {
  readonly runs: number;
  /** Decides every random choice: the same seed tries the same faults. */
  readonly seed: number;
  /** A tree to try them on, for kinds that take one. */
  readonly tree?: string;
  /** How long to go on, for kinds that take it. */
  readonly seconds?: number;
  readonly minutes?: number;
  readonly inPlace?: boolean;
}
