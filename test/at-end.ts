/** What a test leaves behind goes when the test is over, or, if no test made it, when its file's tests are. */
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

/** For the setup of a file: what came last goes first. */
export async function endFile(): Promise<void> {
  for (const act of ofFile.splice(0).reverse()) await act();
}
