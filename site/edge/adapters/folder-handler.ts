/** The edge over a folder of this machine, for servers that use the fetch standard's Request and Response. */
import { resolve } from 'node:path';
import { createHandler, createReleaseHandler, type Handler } from '../fetch.ts';
import { Releases } from '../releases.ts';
import { createFolderFiles } from './folder.ts';
import { ColumnCache } from '../rows/column-cache.ts';
import { FOLDER_BUDGET, REFRESH_AFTER, usualMemory } from './folder-limits.ts';
import { endOfTurn } from './pace.ts';
import { createFolderReleases } from './release-folder.ts';
import type { FetchHandler, TreeOptions } from './server-options.ts';

/** How often an answer begins again because another release became current. */
const MOST_TRIES = 5;

/** Answers from a tree, or from a folder of releases with a link to the current one. */
export function createFetchHandler({ folder, memory = usualMemory(), onError }: TreeOptions): FetchHandler {
  const cache = new ColumnCache(memory);
  /** Answers whose folder a build has replaced meanwhile. */
  const replaced = new WeakSet<Response>();
  const open = (root: string, isThere: () => boolean): Handler => {
    const handle = createHandler(createFolderFiles(root), {
      budget: FOLDER_BUDGET,
      endOfTurn,
      cache,
      refreshAfter: REFRESH_AFTER,
      sharesReads: true,
      ...(onError && { onError }),
    });
    return async (request, below) => {
      const response = await handle(request, below);
      if (!isThere()) replaced.add(response);
      return response;
    };
  };
  const releases = new Releases(createFolderReleases(resolve(folder), open), { refreshAfter: REFRESH_AFTER });
  const handle = createReleaseHandler(releases, onError);
  return async request => {
    let response = await handle(request);
    for (let tries = 1; tries < MOST_TRIES && replaced.has(response); tries++) {
      await response.body?.cancel();
      releases.forget();
      response = await handle(request);
    }
    return response;
  };
}
