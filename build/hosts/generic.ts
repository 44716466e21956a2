/** Hosts of plain files: any, and GitHub Pages. */

import { UNLISTED } from '../format/paths.ts';
import { type HostProfile, NO_LIMITS } from './host-profile.ts';

export const generic = {
  name: 'generic',
  limits: NO_LIMITS,
  beneathPath: true,
  computes: false,
  treeFiles: () => [],
  folderFiles: () => [],
} as const satisfies HostProfile;

export const githubPages = {
  ...generic,
  name: 'github-pages',
  // A site may have 1 GB. GitHub refuses larger files.
  limits: { ...NO_LIMITS, bytesInAll: 1_000_000_000, bytesPerFile: 100 << 20 },
  // Without it, GitHub Pages doesn't serve names that begin with an underscore.
  treeFiles: () => [{ path: UNLISTED.noJekyll, text: '' }],
} as const satisfies HostProfile;
