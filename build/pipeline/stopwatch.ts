/** Times the stages of a build, one after the other. */
export class Stopwatch {
  /** By stage, to the millisecond. */
  readonly seconds: Record<string, number> = {};
  #last = performance.now();

  /** Records the time of a stage; the next one begins. */
  lap(stage: string): void {
    const now = performance.now();
    this.seconds[stage] = Math.round(now - this.#last) / 1000;
    this.#last = now;
  }
}
