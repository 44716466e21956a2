import type { Dimension } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import { quote, quoteList } from './quoting.ts';

/** The dimensions that contracts can join. */
export interface DimensionIndex {
  readonly compiled: readonly { readonly dimension: Dimension; readonly status: string }[];
  /** Names of dimensions whose own contracts have errors. Joining one is not a second problem. */
  readonly failed: ReadonlySet<string>;
}

type FoundDimension =
  | { readonly found: 'one'; readonly dimension: Dimension }
  | { readonly found: 'failed' }
  | { readonly found: 'none' | 'several'; readonly code: string; readonly message: string };

/**
 * Finds the dimension that a name means in a domain: the domain's own, then a global one, then the only one of that
 * name in another domain. A withdrawn dataset may join a withdrawn dimension.
 */
export function findDimension(
  index: DimensionIndex,
  name: string,
  domain: string,
  withdrawn = false,
): FoundDimension {
  const named = index.compiled.filter(entry => entry.dimension.name === name);
  const own = named.filter(({ dimension }) => dimension.scope === 'domain' && dimension.domain === domain);
  const global = named.filter(({ dimension }) => dimension.scope === 'global');
  const candidates = [own, global, named].find(list => list.length > 0) ?? [];
  // Checked first: the dimension with errors might be the domain's own.
  if (own.length === 0 && index.failed.has(name)) return { found: 'failed' };
  const [only, another] = candidates;
  if (only === undefined) {
    const names = index.compiled.map(({ dimension }) => dimension.name);
    const message = `there is no dimension ${quote(name)}${suggestion(name, names)}: correct the name, or add its contract`;
    return { found: 'none', code: 'dimension-unknown', message };
  }
  if (another !== undefined) {
    const domains = quoteList(candidates.map(({ dimension }) => dimension.domain));
    const message = `the domains ${domains} each have a dimension ${quote(name)}: make one global, or add a dimension of this domain`;
    return { found: 'several', code: 'dimension-ambiguous', message };
  }
  if (only.status !== 'active' && !(withdrawn && only.dimension.withdrawal !== null)) {
    const message = `the dimension ${quote(name)} is not published because its status is ${quote(only.status)}: make it active`;
    return { found: 'none', code: 'dimension-unknown', message };
  }
  return { found: 'one', dimension: only.dimension };
}
