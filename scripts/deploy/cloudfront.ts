/**
 * The switch of CloudFront: its function sends every request to the folder of one release, so that publishing the
 * function is the one write. What it knows of the tree and where the tree is change together, and since the folder's
 * name is part of what CloudFront caches by, nothing needs to be invalidated.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refused } from './local-tree.ts';
import { inFolder } from './scratch-folder.ts';
import { runTool } from './tool.ts';

export interface CloudfrontFunction {
  /** A function that is there already and that the distribution runs for viewer requests. */
  readonly name: string;
  /** Its JavaScript for the tree that is deployed; null where the release's own is in the bucket. */
  readonly code: string | null;
}

/** What stands in a function's code for the release. */
export const RELEASE_PLACE = '@RELEASE@';

const RUNTIME = 'cloudfront-js-2.0';

/** The code of a release's function. Throws RefusedError where the code names no release: it would not switch. */
export function compileFunction(code: string, release: string): string {
  const compiled = code.replaceAll(RELEASE_PLACE, release);
  if (compiled.includes(release)) return compiled;
  throw refused(
    'function-without-release',
    '--function-code',
    `names no release. Where it rewrites a path, put releases/${RELEASE_PLACE}/ before it.`,
  );
}

/** Replaces the function's code and publishes it. Throws UnableError; until the publishing, what is live stays. */
export async function publishFunction(name: string, code: string): Promise<void> {
  await inFolder(async folder => {
    const file = path.join(folder, 'function.js');
    await writeFile(file, code);
    const tagOf = (text: string) => String((JSON.parse(text) as { ETag: string }).ETag);
    const config = ['--function-config', JSON.stringify({ Comment: 'Civic Data Service', Runtime: RUNTIME })];
    const described = tagOf(await aws('describe-function', '--name', name));
    const args = ['--name', name, '--if-match', described, ...config, '--function-code', `fileb://${file}`];
    const updated = tagOf(await aws('update-function', ...args));
    await aws('publish-function', '--name', name, '--if-match', updated);
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
