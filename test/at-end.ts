/** Removes what a test made: at the end of the test, or of its file if no test made it. */
import { onTestFinished, TestRunner } from 'vitest';

type Act = () => unknown;

const ofFile: Act[] = [];

export function atEnd(act: Act): void {
  if (TestRunner.getCurrentTest() === undefined) ofFile.push(act);
  else
    onTestFinished(async () => {
      await act();
    });
}

/** Undoes the setup of a file in reverse order. */
export async function endFile(): Promise<void> {
  for (const act of ofFile.splice(0).reverse()) await act();
}
