/** The list of hosts, and how the command line names one. */
import { readFile } from 'node:fs/promises';
import { UnableError } from '../failure.ts';
import { cloudflare, cloudflareR2 } from './cloudflare.ts';
import { generic, githubPages } from './generic.ts';
import type { Edges, HostProfile, HostTarget } from './host-profile.ts';
import { nginx } from './nginx.ts';
import { s3Cloudfront } from './s3-cloudfront.ts';

const ALL = [githubPages, s3Cloudfront, cloudflare, cloudflareR2, nginx, generic] as const;

export type HostName = (typeof ALL)[number]['name'];

export const HOST_NAMES: readonly HostName[] = ALL.map(host => host.name);

export const HOSTS = Object.fromEntries(
  ALL.map((host): [string, HostProfile] => [host.name, host]),
) as Readonly<Record<HostName, HostProfile>>;

/** Null if no host is named. --base-url implies --base-path. Throws UnableError for a path that the host can't serve. */
export function hostTarget(
  name: HostName | undefined,
  basePath: string | undefined,
  baseUrl: string | undefined,
  edges: Edges,
): HostTarget | null {
  const implied = baseUrl === undefined ? null : new URL(baseUrl).pathname;
  if (basePath !== undefined && implied !== null && implied !== basePath) {
    throw new UnableError(
      'base-path',
      `--base-path is ${basePath}, but --base-url ends in ${implied}. Give both the same path, or omit --base-path.`,
    );
  }
  if (name === undefined) {
    if (basePath === undefined) return null;
    throw new UnableError('base-path', '--base-path needs a host. Name it with --host.');
  }
  const target = { profile: HOSTS[name], basePath: basePath ?? implied ?? '/', edges };
  if (target.basePath === '/' || target.profile.beneathPath) return target;
  throw new UnableError(
    'base-path',
    `${name} answers the API at the root of an address, not below ${target.basePath}. Leave out --base-path, and give a --base-url without a path.`,
  );
}

/** `/repo/` for `repo`, `/repo` or `/repo/`; null if a segment has characters that URLs encode. */
export function parseBasePath(text: string): string | null {
  const segments = text.replace(/^\/|\/$/g, '').split('/');
  if (segments.length === 1 && segments[0] === '') return '/';
  const plain = segments.every(one => /^[A-Za-z0-9._~-]+$/.test(one) && !/^\.+$/.test(one));
  return plain ? `/${segments.join('/')}/` : null;
}

/** From the bundles that `npm run compile` writes. */
export async function readScript(name: string): Promise<string> {
  const bundle = new URL(`../workers/${name}.js`, import.meta.url);
  const text = await readFile(bundle, 'utf8').catch(() => null);
  if (text === null)
    throw new UnableError(
      'not-compiled',
      `${bundle.pathname} is missing. Install civic-data-service again or, in a clone, run npm run compile.`,
    );
  return text;
}
