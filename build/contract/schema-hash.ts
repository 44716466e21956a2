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
 * Lower-case SHA-256 of the UTF-8 of `{"columns":[[name,type,role,unit,values],…],"grain":[…]}` without spaces:
 * columns in contract order, `values` null or the allowed values as texts in the order of their code points, `unit`
 * null in a dimension, whose grain is its primary key. Prose does not change it.
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

/** What a contract writes before a hash of ours. Every tool has its own form of hash, and only ours can be held to this one. */
const OURS = 'civic-tree:';

/** Warns of a hash of ours that is not the schema's. */
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

/** JavaScript compares UTF-16 units, which puts U+1F600 before U+FF5E; bytes of UTF-8 are in code-point order. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
