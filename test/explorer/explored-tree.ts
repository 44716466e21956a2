/** Trees with people's pages, as `civic build` writes them, and what a test looks at in a page. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { buildPublisher } from '../build/built-tree.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../build/publisher-folder.ts';

/** The folder of the compiled program, with the bundle. */
const COMPILED = path.resolve(import.meta.dirname, '../../lib');

/** The pages that the program makes: what a build in this process needs to be compared with one of the program. */
export const openPages = () => openExplorer(COMPILED);

/** A publisher's tree with pages, in a folder of its own that the caller removes. */
export async function buildExplored(
  contracts: Readonly<Record<string, string>>,
  lake: Readonly<Record<string, string>>,
  baseUrl: string | null = null,
): Promise<PublisherFolder> {
  const publisher = await writePublisher(await temporaryFolder('never'), contracts, lake);
  await buildPublisher(publisher, { baseUrl, pages: openPages() });
  return publisher;
}

/** How far a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
