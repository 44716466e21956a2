import { createHash } from 'node:crypto';
import type { RootProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import type { BaseColumn } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';

type HashedColumn = Pick<BaseColumn, 'name' | 'type' | 'validValues'> & {
  readonly role: string;
  readonly unit?: string | null;
};

/**
 * Lower-case SHA-256 of the UTF-8 text `{"columns":[[name,type,role,unit,values],…],"grain":[…]}` without spaces.
 * Columns stand in contract order. `values` is null, or the allowed values as texts sorted by code point. A dimension
 * has `unit` null and its primary key as grain. Descriptions do not change the hash.
 */
export function schemaHash(columns: readonly HashedColumn[], grain: readonly string[]): string {
  const canonical = JSON.stringify({
    columns: columns.map(column => {
      const values = column.validValues?.map(String).sort(compareCodePoints) ?? null;
      return [column.name, column.type, column.role, column.unit ?? null, values];
    }),
    grain,
  });
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}

/** The prefix of a hash that this service computed. Other tools compute other hashes, which cannot be checked here. */
const OURS = 'civic-tree:';

/** Warns if a stated hash of this service is not the schema's. */
export function checkSchemaHash(
  hash: string,
  root: CustomProperties<RootProperties>,
  problems: Problems,
): void {
  const stated = root.values.schema_hash;
  if (typeof stated !== 'string' || !stated.startsWith(OURS) || stated === OURS + hash) return;
  const message = `the contract states ${quote(stated)}, but its schema gives ${OURS}${hash}: correct it or leave it out`;
  problems.warning(root.pathOf('schema_hash'), 'schema-hash-stale', message);
}

/**
 * Compares UTF-8 bytes, which sort by code point. JavaScript compares UTF-16 units, which put U+1F600 before U+FF5E.
 */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
