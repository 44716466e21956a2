/** How far the content of a page has moved by itself. */
import type { Page } from 'playwright-core';

/** Milliseconds in which the browser gives the shifts that it has noted. */
const GIVEN_IN = 300;

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
