/**
 * The switch of CloudFront: its function sends every request to the folder of one release, so that publishing the
 * function is the one write. What it knows of the tree and where the tree is change together, and since the folder's
 * name is part of what CloudFront caches by, nothing needs to be invalidated.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findSyntaxError } from '../../build/hosts/script-syntax.ts';
import { refused } from './local-tree.ts';
import { inFolder } from './scratch-folder.ts';
import { runTool } from './tool.ts';

export interface CloudfrontFunction {
  /** A function that is there already and that the distribution runs for viewer requests. */
  readonly name: string;
  /** Its JavaScript for the tree that is deployed; null where the release's own is in the bucket. */
  readonly code: string | null;
  /** ARN of the key value store that it is to read; null to keep the one that it has, if any. */
  readonly store: string | null;
}

/** What stands in a function's code for the release. */
export const RELEASE_PLACE = '@RELEASE@';

const RUNTIME = 'cloudfront-js-2.0';

/** Throws RefusedError where the code does not parse. */
export function expectFunction(code: string): void {
  const problem = findSyntaxError(code);
  if (problem !== null)
    throw refused('function-syntax', '--function-code', `does not parse: ${problem}. Build the tree again.`);
}

/**
 * The code of a release's function. Throws RefusedError where the code does not parse, or names no release: it would not
 * switch.
 */
export function compileFunction(code: string, release: string): string {
  expectFunction(code);
  const compiled = code.replaceAll(RELEASE_PLACE, release);
  if (compiled.includes(release)) return compiled;
  throw refused(
    'function-without-release',
    '--function-code',
    `names no release. Where it rewrites a path, put releases/${RELEASE_PLACE}/ before it.`,
  );
}

/** What aws tells of a function, as far as it is used. */
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
 * Replaces the function's code and publishes it. Its configuration is replaced with it, so that what it has of one is sent
 * again. Throws UnableError; until the publishing, what is live stays.
 */
export async function publishFunction(
  { name, store }: Pick<CloudfrontFunction, 'name' | 'store'>,
  code: string,
): Promise<void> {
  await inFolder(async folder => {
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
  // Older versions of aws do not know this variable by themselves.
  const { AWS_ENDPOINT_URL_CLOUDFRONT: endpoint } = process.env;
  return runTool(
    'aws',
    ['cloudfront', ...args, '--output', 'json', ...(endpoint ? ['--endpoint-url', endpoint] : [])],
    {
      environment: { AWS_PAGER: '' },
    },
  );
}
