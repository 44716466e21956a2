/** A corrupt file anywhere is found and named, by path, by every tool that reads it. */
import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../../site/edge/adapters/node.ts';
import { lacks } from '../archive/programs.ts';
import { buildPublisher } from './built-tree.ts';
import { civic, compileProgram } from './program.ts';
import { copyPublisher, type PublisherFolder, temporaryFolder, writePublisher } from './publisher-folder.ts';
import { runMirror } from './mirror-run.ts';

const FACTS = 'api/v1/climate/rainfall';
const REGIONS = 'api/v1/climate/_dimensions/regions';

let publisher: PublisherFolder;
let tree: string;
beforeAll(async () => {
  await compileProgram();
  publisher = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(publisher);
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));
beforeEach(async () => {
  tree = path.join(await temporaryFolder(), 'tree');
  await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
});
