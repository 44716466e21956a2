import type { Dimension } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import { quote, quoteList } from './quoting.ts';

/** The dimensions that contracts can join. */
export interface DimensionIndex {
  readonly compiled: readonly { readonly dimension: Dimension; readonly status: string }[];
  /** Names of those whose own contract has errors: joining one is no further problem. */
  readonly failed: ReadonlySet<string>;
}

export type FoundDimension =
  | { readonly found: 'one'; readonly dimension: Dimension }
  | { readonly found: 'failed' }
  | { readonly found: 'none' | 'several'; readonly code: string; readonly message: string };

/**
 * The dimension that a name means in a domain: the domain's own, else a global one, else the only one of that name
 * in another domain. What is withdrawn may join what is withdrawn too.
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
  // Checked first: the one that failed might have been the domain's own.
  if (own.length === 0 && index.failed.has(name)) return { found: 'failed' };
  const [only, another] = candidates;
  if (only === undefined) {
    const names = index.compiled.map(({ dimension }) => dimension.name);
    const message = `there is no dimension ${quote(name)}${suggestion(name, names)}: correct the name, or add its contract`;
    return { found: 'none', code: 'dimension-unknown', message };
  }
  if (another !== undefined) {
    const domains = quoteList(candidates.map(({ dimension }) => dimension.domain));
    const message = `the domains ${domains} have a dimension ${quote(name)} each: make one global, or add the domain's own`;
    return { found: 'several', code: 'dimension-ambiguous', message };
  }
  if (only.status !== 'active' && !(withdrawn && only.dimension.withdrawal !== null)) {
    const message = `the dimension ${quote(name)} is not published, its status is ${quote(only.status)}: make it active`;
    return { found: 'none', code: 'dimension-unknown', message };
  }
  return { found: 'one', dimension: only.dimension };
}
