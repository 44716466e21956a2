/** How long the stages of a build take. */
export interface Stopwatch {
  /** Ends a stage and starts the next. */
  readonly lap: (stage: string) => void;
  /** Takes a time within a stage. */
  readonly split: (part: string) => void;
  /** By stage, to the millisecond. */
  readonly seconds: Record<string, number>;
}

export function startStopwatch(): Stopwatch {
  const seconds: Record<string, number> = {};
  let last = performance.now();
  const split = (part: string) => {
    seconds[part] = Math.round(performance.now() - last) / 1000;
  };
  const lap = (stage: string) => {
    split(stage);
    last = performance.now();
  };
  return { lap, split, seconds };
}
