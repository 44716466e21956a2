import { expect, test } from 'vitest';
import { buildPublisher, verify, warningsOf, contents } from './built-tree.ts';
import { temporaryFolder, writePublisher } from './publisher-folder.ts';
test('x', async () => {
  const p = await writePublisher(await temporaryFolder());
  const t = performance.now();
  const b = await buildPublisher(p);
  console.log(performance.now() - t, warningsOf(b), b.result);
  console.log(Object.keys(await contents(p.out)).join('\n'));
  console.log(await verify(p.out));
  expect(1).toBe(1);
});
