/** What a contract says of a Parquet column, whose type and values the file knows. */
import type { ColumnType } from '../format/documents.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { isInexact } from '../lake/inexact-decimals.ts';
import type { DraftTable, RawColumn } from './draft-table.ts';

export interface NativeType {
  readonly type: ColumnType;
  readonly reason: string;
  /** The physical type that the contract states, if a text is stored as another type; null if it need not say. */
  readonly physical: string | null;
}

/** Values that no reader of JSON could read back make a text of the column. */
export async function readNativeTypes(
  session: Session,
  { table, columns }: Pick<DraftTable, 'table' | 'columns'>,
): Promise<ReadonlyMap<RawColumn, NativeType>> {
  const known = columns.flatMap(column =>
    column.native === null ? [] : [{ column, native: column.native }],
  );
  const kinds = known.map(({ column, native }) => ({ column, native, ...kindOf(column.sql, native) }));
  const counts = await readAggregates<number>(
    session,
    table,
    kinds.map(({ column, unfit }) => `count_if(${column.sql} IS NOT NULL AND (${unfit}))`),
  );
  return new Map(
    kinds.map(({ column, native, type, physical, why }, i): [RawColumn, NativeType] => {
      const reason = `${native} in the file`;
      const unfit = counts[i] ?? 0;
      if (unfit === 0) return [column, { type, reason, physical: null }];
      return [column, { type: 'string', physical, reason: `${reason}, with values that ${why}` }];
    }),
  );
}

interface Kind {
  readonly type: ColumnType;
  readonly physical: string | null;
  /** SQL that is true for a value that no reader could read back. */
  readonly unfit: string;
  readonly why: string;
}

function kindOf(sql: string, native: string): Kind {
  const inexact = {
    physical: null,
    unfit: isInexact(sql, native) ?? 'false',
    why: 'a 64-bit float would round',
  };
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(native)) return { type: 'integer', ...inexact };
  if (native.startsWith('DECIMAL')) return { type: 'number', ...inexact };
  if (/^(DOUBLE|FLOAT)$/.test(native))
    return { type: 'number', physical: 'double', unfit: `NOT isfinite(${sql})`, why: 'are not finite' };
  if (native === 'DATE' || native.startsWith('TIMESTAMP')) {
    const outside = `coalesce(year(${sql}) NOT BETWEEN 1 AND 9999, true)`;
    const unfit = native === 'TIMESTAMP_NS' ? `${outside} OR epoch_ns(${sql}) % 1000 <> 0` : outside;
    const type = native === 'DATE' ? 'date' : 'timestamp';
    return { type, physical: type, unfit, why: 'ISO 8601 cannot write with six decimals' };
  }
  const type = native === 'BOOLEAN' ? 'boolean' : 'string';
  return { type, physical: null, unfit: 'false', why: '' };
}
