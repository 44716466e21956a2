/** What Cloudflare reads: the headers of static assets, and the configurations that deploy the tree with its Worker. Pure. */
import type { HostFile, HostSite } from './host-site.ts';

/** The bundle of site/edge's Worker, which stands beside these files. */
export const WORKER = 'worker.js';

/** Types that Cloudflare does not give by itself, or gives without a charset. */
const TYPES: readonly (readonly [extension: string, type: string])[] = [
  ['parquet', 'application/vnd.apache.parquet'],
  ['csv', 'text/csv; charset=utf-8'],
  ['ndjson', 'application/x-ndjson'],
  ['yaml', 'application/yaml'],
  ['cff', 'application/yaml'],
  ['sql', 'application/sql; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['sh', 'text/plain; charset=utf-8'],
];

/** Files without an extension, which would be downloaded. */
const PLAIN = ['/SHA256SUMS', '/api/v1/SHA256SUMS'];

/**
 * `_headers`: at most 100 rules. What the Worker answers has headers of its own; these are for a tree that is deployed
 * without it.
 */
export function cloudflareHeaders(): string {
  const rules: readonly (readonly [path: string, ...headers: string[]])[] = [
    [
      '/*',
      'Access-Control-Allow-Origin: *',
      'Access-Control-Expose-Headers: Content-Length, Content-Range, ETag, Link',
      'Cache-Control: public, max-age=300',
      'X-Content-Type-Options: nosniff',
    ],
    ...TYPES.map(([extension, type]) => [`/*.${extension}`, `Content-Type: ${type}`] as const),
    ...PLAIN.map(path => [path, 'Content-Type: text/plain; charset=utf-8'] as const),
  ];
  return rules
    .map(([path, ...headers]) => [path, ...headers.map(line => `  ${line}`), ''].join('\n'))
    .join('');
}

const COMPATIBILITY_DATE = '2025-12-01';

/** For the tree as static assets: of a Worker, or of Pages. */
export function assetFiles({ publisher, treeFolder }: HostSite): HostFile[] {
  const name = workerName(publisher.service);
  return [
    {
      path: 'wrangler.jsonc',
      text: jsonc('Deploys the tree as static assets with its Worker: npx wrangler@4 deploy', {
        ...worker(name),
        assets: {
          directory: `../${treeFolder}`,
          binding: 'ASSETS',
          // Assets alone give no ranges and keep no times.
          run_worker_first: true,
          html_handling: 'none',
          not_found_handling: 'none',
        },
      }),
    },
    {
      path: 'functions/[[path]].js',
      text: `// Cloudflare Pages: npx wrangler@4 pages deploy ../${treeFolder} --project-name ${name}
import worker from '../${WORKER}';

export const onRequest = ({ request, env }) => worker.fetch(request, env);
`,
    },
  ];
}

/** For releases in an R2 bucket, which is called as the Worker is. */
export function bucketFiles({ publisher }: HostSite): HostFile[] {
  const name = workerName(publisher.service);
  return [
    {
      path: 'wrangler.jsonc',
      text: jsonc(
        `Deploys the Worker over the R2 bucket ${name}, which holds the releases: npx wrangler@4 deploy`,
        {
          ...worker(name),
          r2_buckets: [{ binding: 'TREE', bucket_name: name }],
        },
      ),
    },
  ];
}

const worker = (name: string) => ({ name, main: WORKER, compatibility_date: COMPATIBILITY_DATE });

function jsonc(comment: string, value: object): string {
  return `// ${comment}\n${JSON.stringify(value, null, 2)}\n`;
}

/** Lower-case letters, digits and hyphens, at most 63, as a Worker, a project and a bucket may be named. */
function workerName(service: string): string {
  const words = service.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const name = words.slice(0, 63).replace(/^-|-$/g, '');
  return name.length < 3 ? 'civic-data' : name;
}
