/** Any host of files that shows a page of the tree for what is missing. */
import { ROOT } from '../format/paths.ts';
import { type HostProfile, NO_LIMITS } from './host-profile.ts';
import { notFoundPage } from './not-found-page.ts';

export const generic = {
  name: 'generic',
  limits: NO_LIMITS,
  beneathPath: true,
  computes: false,
  treeFiles: ({ documents, ...input }) => {
    const datasets = documents.datasets.map(one => ({ key: one.manifest.dataset, title: one.schema.title }));
    return [{ path: ROOT.notFound, text: notFoundPage({ ...input, datasets }) }];
  },
  folderFiles: () => [],
  folderLimits: {},
} as const satisfies HostProfile;
