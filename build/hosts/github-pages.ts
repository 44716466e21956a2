/** GitHub Pages. A workflow uploads the tree as a whole. */
import { UNLISTED } from '../format/paths.ts';
import { generic } from './generic.ts';
import { type HostProfile, NO_LIMITS } from './host-profile.ts';

export const githubPages = {
  ...generic,
  name: 'github-pages',
  // A site may have 1 GB. GitHub refuses larger files.
  limits: { ...NO_LIMITS, bytesInAll: 1_000_000_000, bytesPerFile: 100 << 20 },
  treeFiles: input => [
    // Without it, GitHub Pages serves no file or folder whose name begins with an underscore.
    { path: UNLISTED.noJekyll, text: '' },
    ...generic.treeFiles(input),
  ],
} as const satisfies HostProfile;
