/** Test files that run from the sources alone, with no compiled program, browser or server: `npm run test:quick`. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  '.': ['house'],
  cache: ['shares'],
  contract: ['contract-difference', 'contracts-page', 'dataset', 'diagnostics'],
  deploy: ['upload-plan'],
  edge: ['conditional', 'cost', 'kept-answers', 'routes', 'rows', 'sha256'],
  explorer: ['figure', 'format', 'messages', 'coded-rows', 'sql-tables', 'tree-search'],
  lake: ['path-template'],
  query: ['empty-answer', 'planner', 'request-parser', 'texts'],
  releases: ['row-losses'],
  slice: ['copy-choice'],
};

export const QUICK: readonly string[] = Object.entries(FILES).flatMap(([folder, names]) =>
  names.map(name => (folder === '.' ? `test/${name}.test.ts` : `test/${folder}/${name}.test.ts`)),
);
