/** Cloudflare, where wrangler deploys: a Worker with static assets, Pages, or a Worker over an R2 bucket. */
import type { HostFile } from '../format/host-files.ts';
import { CACHE_CONTROL, TYPES } from '../format/media-type.ts';
import { PAGES, ROOT, UNLISTED } from '../format/paths.ts';
import { generic } from './generic.ts';
import { type HostInput, type HostProfile, NO_LIMITS } from './host-profile.ts';

/** The bundle of site/edge's Worker, next to these files. */
export const WORKER = 'worker.js';

export const cloudflare = {
  ...generic,
  name: 'cloudflare',
  // Limits of the free plan.
  limits: { ...NO_LIMITS, files: 20_000, bytesPerFile: 25 << 20 },
  beneathPath: false,
  computes: true,
  treeFiles: () => [{ path: UNLISTED.headers, text: renderHeaders() }],
  folderFiles: async input => [...assetFiles(input), ...(await input.edges.worker())],
} as const satisfies HostProfile;

/** Extensions whose types Cloudflare doesn't know, or sends without a charset. */
const TYPED = ['parquet', 'csv', 'ndjson', 'yaml', 'cff', 'sql', 'md', 'sh'];

/** Without an extension, browsers would download them instead of showing them. */
const PLAIN = [ROOT.checksums, ROOT.apiChecksums];

/**
 * `_headers`, with at most 100 rules. The Worker sets its own headers; these apply if the tree is deployed
 * without it.
 */
function renderHeaders(): string {
  const rules: readonly (readonly [path: string, ...headers: string[]])[] = [
    [
      '/*',
      'Access-Control-Allow-Origin: *',
      'Access-Control-Expose-Headers: Content-Length, Content-Range, ETag, Link',
      `Cache-Control: ${CACHE_CONTROL}`,
      'X-Content-Type-Options: nosniff',
      'Referrer-Policy: strict-origin-when-cross-origin',
      // Has no effect on files that aren't pages.
      "Content-Security-Policy: frame-ancestors 'self'; object-src 'none'; base-uri 'none'",
    ],
    // Other sites may show this page in a frame; the page contains its own policy.
    [`/*/${PAGES.embed}`, '! Content-Security-Policy'],
    ...TYPED.map(extension => [`/*.${extension}`, `Content-Type: ${TYPES[extension]}`] as const),
    ...PLAIN.map(path => [`/${path}`, 'Content-Type: text/plain; charset=utf-8'] as const),
  ];
  return rules
    .map(([path, ...headers]) => [path, ...headers.map(line => `  ${line}`), ''].join('\n'))
    .join('');
}

const COMPATIBILITY_DATE = '2025-12-01';

function assetFiles({ publisher, treeFolder }: HostInput): HostFile[] {
  const worker = workerOf(publisher.service);
  return [
    {
      path: 'wrangler.jsonc',
      text: jsonc('Deploys the tree as static assets with its Worker: npx wrangler@4 deploy', {
        ...worker,
        assets: {
          directory: `../${treeFolder}`,
          binding: 'ASSETS',
          // Static assets alone support no ranges and no modification times.
          run_worker_first: true,
          html_handling: 'none',
          not_found_handling: 'none',
        },
      }),
    },
    {
      path: 'functions/[[path]].js',
      text: `// Cloudflare Pages: npx wrangler@4 pages deploy ../${treeFolder} --project-name ${worker.name}
import worker from '../${WORKER}';

export const onRequest = ({ request, env }) => worker.fetch(request, env);
`,
    },
  ];
}

function workerOf(service: string) {
  // Valid for a Worker, a project and a bucket: at most 63 lower-case letters, digits and hyphens.
  const words = service.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const name = words.slice(0, 63).replace(/^-|-$/g, '');
  return {
    name: name.length < 3 ? 'civic-data' : name,
    main: WORKER,
    compatibility_date: COMPATIBILITY_DATE,
  };
}

export function jsonc(comment: string, value: object): string {
  return `// ${comment}\n${JSON.stringify(value, null, 2)}\n`;
}

export const cloudflareR2 = {
  ...generic,
  name: 'cloudflare-r2',
  beneathPath: false,
  computes: true,
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
