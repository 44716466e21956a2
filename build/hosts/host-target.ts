/** The host that a command line names, and where on it the tree will be. */
import { readFile } from 'node:fs/promises';
import { WORKER } from '../catalog/cloudflare-files.ts';
import { UnableError } from '../failure.ts';
import { type EdgeMaker, HOSTS, type HostFile, type HostName, type HostTarget } from './host-profile.ts';

/** Who makes each host's edge. */
export type EdgeMakers = Readonly<Partial<Record<HostName, EdgeMaker>>>;

/** Null where no host is named. A path that the address has need not be said again. */
export function hostTarget(
  name: HostName | undefined,
  basePath: string | undefined,
  baseUrl: string | undefined,
  edges: EdgeMakers,
): HostTarget | null {
  const implied = baseUrl === undefined ? null : new URL(baseUrl).pathname;
  if (basePath !== undefined && implied !== null && implied !== basePath) {
    throw new UnableError(
      'base-path',
      `--base-path is ${basePath} and --base-url ends in ${implied}. Give the same path twice, or --base-url alone.`,
    );
  }
  if (name === undefined) {
    if (basePath === undefined) return null;
    throw new UnableError('base-path', '--base-path is for a host. Name it with --host.');
  }
  return {
    profile: HOSTS[name],
    basePath: basePath ?? implied ?? '/',
    renderEdge: edges[name]?.renderEdge ?? null,
    renderTable: edges[name]?.renderTable ?? null,
  };
}

/** `/repo/` of `repo`, `/repo` or `/repo/`; null where it is no path of plain segments. */
export function parseBasePath(text: string): string | null {
  const segments = text.replace(/^\/|\/$/g, '').split('/');
  if (segments.length === 1 && segments[0] === '') return '/';
  const plain = segments.every(part => /^[A-Za-z0-9._~-]+$/.test(part) && !/^\.+$/.test(part));
  return plain ? `/${segments.join('/')}/` : null;
}

/** The Worker as it was bundled when the program was compiled. */
export async function workerFiles(): Promise<HostFile[]> {
  return [{ path: WORKER, text: await readScript('cloudflare-worker') }];
}

/** A script for a host, as it was bundled when the program was compiled. */
export async function readScript(name: string): Promise<string> {
  const bundle = new URL(`../workers/${name}.js`, import.meta.url);
  const text = await readFile(bundle, 'utf8').catch(() => null);
  if (text === null)
    throw new UnableError('not-compiled', `${bundle.pathname} is missing. Run npm run compile.`);
  return text;
}
