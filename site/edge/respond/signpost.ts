/** Leads machines from a dataset's page, documents and files to its links (Signposting, RFC 9264). */
import { LINKSET_TYPE, linksetPath, PAGES } from '../../../build/format/paths.ts';
import { subjectKey } from '../catalog.ts';
import type { Exchange } from '../exchange.ts';
import type { Headers } from './headers.ts';

const PAGE = new RegExp(`^${PAGES.datasets}/([^/]+)/([^/]+)/`);

/** Empty for files of no dataset, and where the tree has no list of links. */
export function signpost({ tree, incoming }: Pick<Exchange, 'tree' | 'incoming'>, path: string): Headers {
  const [, ...page] = PAGE.exec(path) ?? [];
  const [domain = '', topic = ''] = page.length > 0 ? page : (subjectKey(path)?.split('/') ?? []);
  const linkset = linksetPath(domain, topic);
  return tree.files.has(linkset)
    ? { Link: `<${incoming.root}/${linkset}>; rel="linkset"; type="${LINKSET_TYPE}"` }
    : {};
}
