/** Times the stages of a build. */
export interface Stopwatch {
  /** Notes the time of a stage and starts the next. */
  readonly lap: (stage: string) => void;
  /** Notes a time within the current stage. */
  readonly split: (name: string) => void;
  /** Seconds by stage, to the millisecond. */
  readonly seconds: Record<string, number>;
}

export function startStopwatch(): Stopwatch {
  const seconds: Record<string, number> = {};
  let last = performance.now();
  const split = (name: string) => {
    seconds[name] = Math.round(performance.now() - last) / 1000;
  };
  const lap = (stage: string) => {
    split(stage);
    last = performance.now();
  };
  return { lap, split, seconds };
}
