/** Edges that render nothing, for trees whose scripts no test asks. */
import type { Edges } from '../../build/hosts/host-profile.ts';

export const NO_EDGES: Edges = {
  worker: async () => [],
  cloudfront: async () => [],
  nginx: async () => [],
  nginxTable: async () => ({ path: 'rewriting.txt', text: '# a table\n' }),
};
