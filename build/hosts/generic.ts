/** Any host of files that shows a page of the tree for what is missing. */
import { ROOT } from '../format/paths.ts';
import { type HostProfile, NO_LIMITS } from './host-profile.ts';
import { notFoundPage } from './not-found-page.ts';

export const generic = {
  name: 'generic',
  limits: NO_LIMITS,
  beneathPath: true,
  computes: false,
  treeFiles: input => [{ path: ROOT.notFound, text: notFoundPage(input) }],
  folderFiles: () => [],
  folderLimits: {},
} as const satisfies HostProfile;
