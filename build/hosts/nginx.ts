/**
 * nginx on the publisher's own server. `civic deploy` sends releases there with rsync, and switches a link; nginx's
 * script is the same for all, and reads a table in each.
 */
import { generic } from './generic.ts';
import type { HostProfile } from './host-profile.ts';

export const nginx = {
  ...generic,
  name: 'nginx',
  beneathPath: false,
  treeFiles: async input => [...generic.treeFiles(input), await input.edges.nginxTable(input.documents)],
  folderFiles: ({ edges }) => edges.nginx(),
} as const satisfies HostProfile;
