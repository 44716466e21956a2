/**
 * A bucket behind CloudFront. Its function answers the API from a table in a key value store, and sends every
 * request to the folder of one release. So publishing the function is the one write that switches, and since
 * caches use the folder's name, nothing needs to be invalidated.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refused, UnableError } from '../failure.ts';
import { groupDigits } from '../format/shown-text.ts';
import { runTool } from '../tool.ts';
import { withTemporaryFolder } from '../tree/workspace.ts';
import type { PrepareFront } from './bucket.ts';
import { generic } from './generic.ts';
import type { HostProfile } from './host-profile.ts';

/** CloudFront's limits. */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  'cloudfront-function.js': 10_240,
  'keyvaluestore.json': 5 << 20,
};

export const s3Cloudfront = {
  ...generic,
  name: 's3-cloudfront',
  beneathPath: false,
  folderFiles: async ({ documents, edges }, paths) => {
    const files = await edges.cloudfront(documents, paths);
    for (const { path: file, text } of files) {
      const [most, size] = [MOST_BYTES[file] ?? Number.POSITIVE_INFINITY, Buffer.byteLength(text)];
      const message = `s3-cloudfront takes at most ${groupDigits(most)} bytes of this file, and it has ${groupDigits(size)}. Publish fewer datasets with --only, or on a host without that limit (nginx, cloudflare, cloudflare-r2).`;
      if (size > most) throw refused('function-too-large', file, message);
    }
    return files;
  },
} as const satisfies HostProfile;

interface CloudfrontFunction {
  /** An existing function, which the distribution runs for viewer requests. */
  readonly name: string;
  /** Its JavaScript for this tree; null to use the copy in the bucket. */
  readonly code: string | null;
  /** ARN of the key value store that it reads; null to keep its present one. */
  readonly store: string | null;
}

const RELEASE_PLACE = '@RELEASE@';

const RUNTIME = 'cloudfront-js-2.0';

/** Throws RefusedError if the code doesn't parse. */
export function openFunction({ name, code, store }: CloudfrontFunction): PrepareFront {
  if (code !== null) expectFunction(code);
  return async (release, kept) => {
    // The bucket keeps the code for a later rollback to its release.
    if (code !== null) await kept.write(code);
    const found = code ?? (await kept.read());
    if (found === null) {
      throw new UnableError(
        'function-missing',
        `The bucket has no ${kept.key}, the CloudFront function of this release. Give its file with --function-code.`,
      );
    }
    const compiled = compileFunction(found, release);
    return () => publishFunction(name, store, compiled);
  };
}

/** Parses the text as an ECMAScript module without running it. */
function expectFunction(code: string): void {
  const { status, stderr, error } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
    input: code,
    encoding: 'utf8',
    // Options of this process may not suit the child.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (error) throw error;
  if (status === 0) return;
  const line = /^\[stdin\]:(\d+)/m.exec(stderr)?.[1] ?? '?';
  const why = /^\w*Error: .*/m.exec(stderr)?.[0] ?? 'it does not parse';
  const message = `does not parse: line ${line}: ${why}. Build the tree again.`;
  throw refused('function-syntax', '--function-code', message);
}

/**
 * Puts the release into a function's code. Throws RefusedError if the code doesn't parse or has no
 * placeholder for it.
 */
export function compileFunction(code: string, release: string): string {
  expectFunction(code);
  const compiled = code.replaceAll(RELEASE_PLACE, release);
  if (compiled.includes(release)) return compiled;
  throw refused(
    'function-without-release',
    '--function-code',
    `names no release, so it cannot switch. Put releases/${RELEASE_PLACE}/ before each path that it rewrites.`,
  );
}

interface Described {
  readonly ETag: string;
  readonly FunctionSummary?: {
    readonly FunctionConfig?: {
      readonly Comment?: string;
      readonly KeyValueStoreAssociations?: { readonly Quantity: number };
    };
  };
}

/**
 * aws replaces the configuration along with the code, so the present one is sent again. If this throws
 * UnableError, the live function is unchanged.
 */
async function publishFunction(name: string, store: string | null, code: string): Promise<void> {
  await withTemporaryFolder(async folder => {
    const file = path.join(folder, 'function.js');
    await writeFile(file, code);
    const described = JSON.parse(await aws('describe-function', '--name', name)) as Described;
    const { Comment = '', KeyValueStoreAssociations: kept } = described.FunctionSummary?.FunctionConfig ?? {};
    const stores = store === null ? kept : { Quantity: 1, Items: [{ KeyValueStoreARN: store }] };
    const config = JSON.stringify({
      Comment: Comment || 'Civic Data Service',
      Runtime: RUNTIME,
      ...(stores && stores.Quantity > 0 ? { KeyValueStoreAssociations: stores } : {}),
    });
    const update = ['--function-config', config, '--function-code', `fileb://${file}`];
    const updated = await aws('update-function', '--name', name, '--if-match', described.ETag, ...update);
    const { ETag } = JSON.parse(updated) as Described;
    await aws('publish-function', '--name', name, '--if-match', ETag);
  });
}

function aws(...args: readonly string[]): Promise<string> {
  // Older versions of aws don't read this variable.
  const { AWS_ENDPOINT_URL_CLOUDFRONT: endpoint } = process.env;
  const server = endpoint ? ['--endpoint-url', endpoint] : [];
  return runTool('aws', ['cloudfront', ...args, '--output', 'json', ...server], {
    environment: { AWS_PAGER: '' },
  });
}
