/** A Worker over an R2 bucket, to which `civic deploy` sends releases. wrangler deploys the Worker. */
import { jsonc, workerOf } from './cloudflare.ts';
import { generic } from './generic.ts';
import type { HostProfile } from './host-profile.ts';

export const cloudflareR2 = {
  ...generic,
  name: 'cloudflare-r2',
  beneathPath: false,
  computes: true,
  treeFiles: () => [],
  folderFiles: async ({ publisher, edges }) => {
    const worker = workerOf(publisher.service);
    const comment = `Deploys the Worker over the R2 bucket ${worker.name}, which contains the releases: npx wrangler@4 deploy`;
    const text = jsonc(comment, {
      ...worker,
      r2_buckets: [{ binding: 'TREE', bucket_name: worker.name }],
    });
    return [{ path: 'wrangler.jsonc', text }, ...(await edges.worker())];
  },
} as const satisfies HostProfile;
