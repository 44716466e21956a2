/** Chromium on this machine, and what it notes of a page. */
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The headless shell comes first: the same engine draws no windows, and a page costs a third of the work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Milliseconds in which the browser gives the shifts that it has noted. */
const GIVEN_IN = 300;

/** Path of the program; null if there is none. */
export function findChromium(): string | null {
  return NAMES.map(name => `/usr/bin/${name}`).find(file => existsSync(file)) ?? null;
}

/** The sum of all layout shifts so far, but for those that follow at once on what the reader does. */
export function readShift(page: Page): Promise<number> {
  return page.evaluate(
    given =>
      new Promise<number>(done => {
        let sum = 0;
        type Shift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean };
        new PerformanceObserver(list => {
          for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), given);
      }),
    GIVEN_IN,
  );
}
