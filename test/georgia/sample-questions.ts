/** Questions to the edge about the tree of the whole sample. */
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { sampleTree } from './specification/sample.ts';

/** `ask` takes what follows `/api/v1/`. */
export async function openSampleTree() {
  const folder = await sampleTree();
  const files = createFolderFiles(folder);
  const handler = createHandler(files, {
    budget: { bytes: Number.POSITIVE_INFINITY, rows: 1e6 },
  });
  const catalog = new Catalog(files, { refreshAfter: Number.POSITIVE_INFINITY, now: () => 0 });
  const tree = await catalog.current();
  const subjects = await Promise.all(
    tree.manifest.datasets.map(async ({ key }) => ({ key, ...(await catalog.subject(tree, key))! })),
  );
  const ask = async (question: string) => {
    const answer = await handler(new Request(`http://edge.test/api/v1/${question}`));
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  return { folder, subjects, ask };
}
