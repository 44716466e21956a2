/** Compiles families of rows to SQL: one scan and one grouping per family, for all metrics at once. Pure. */

import { OWN_SCHEMA, SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, literal, literals } from '../lake/sql.ts';
import type { DisclosureFamily } from './disclosure-family.ts';

/** The table of families. Columns: slice, part, members, and for each metric published, summed, total, cell. */
export const FAMILIES = `${OWN_SCHEMA}."_families"`;
/** The table of derivable cells. Columns: metric (its number), cell (the row's number in the table of facts). */
export const DISCLOSED = `${OWN_SCHEMA}."_disclosed"`;

interface FamilySource {
  /** The table of facts, and the expression that numbers its rows. */
  readonly table: string;
  readonly rowNumber: string;
  readonly slices: readonly LakeSlice[];
  readonly metrics: readonly string[];
  /** The table of a dimension, by its key. */
  readonly dimensionTable: (key: string) => string;
}

/** SQL that tells which rows `t` belong to a family, their slice and part, and whether a row is the total. */
interface Membership {
  readonly from: string;
  readonly slice: string;
  readonly part: string;
  readonly total: string;
}

/**
 * Compiles the query for families that have a total and parts. Along an axis, a missing row is unknown, so the query
 * keeps only families with as many parts as the largest of their slice, and with at least two. Along levels, every
 * child of a place has a row, so one part is enough.
 */
export function compileFamilies(family: DisclosureFamily, source: FamilySource): string {
  const { from, slice, part, total } = membership(family, source);
  const columns = source.metrics.flatMap((metric, i) => {
    const value = `t.${identifier(metric)}`;
    return [
      `count(${value}) FILTER (NOT ${total}) AS published${i}`,
      `coalesce(sum(${value}) FILTER (NOT ${total}), 0) AS summed${i}`,
      `max(${value}) FILTER (${total}) AS total${i}`,
      `max(t.${source.rowNumber}) FILTER (NOT ${total} AND ${value} IS NULL) AS cell${i}`,
    ];
  });
  // HAVING repeats the expression, because a column of the facts may have the alias's name.
  const members = `count(*) FILTER (NOT ${total})`;
  const grouped = [
    `SELECT ${slice} AS slice, ${part} AS part, ${members} AS members, ${columns.join(', ')}`,
    `FROM ${from}`,
    `GROUP BY ${[slice, part, ...family.keys.map(name => `t.${identifier(name)}`)].join(', ')}`,
    `HAVING bool_or(${total}) AND ${members} > ${family.kind === 'level' ? 0 : 1}`,
  ].join('\n');
  if (family.kind === 'level') return grouped;
  return `SELECT * FROM (${grouped}) QUALIFY members = max(members) OVER (PARTITION BY slice, part)`;
}

function membership(family: DisclosureFamily, { table, slices, dimensionTable }: FamilySource): Membership {
  const own = `t.${SLICE_COLUMN}`;
  switch (family.kind) {
    case 'axis': {
      const value = `t.${identifier(family.column)}`;
      return {
        from: `${table} t WHERE ${value} IS NOT NULL`,
        slice: own,
        part: 'NULL::VARCHAR',
        total: `(${value}::VARCHAR = ${literal(family.total)})`,
      };
    }
    case 'attribute': {
      const key = `${identifier(family.target)}::VARCHAR`;
      const attribute = `${identifier(family.attribute)}::VARCHAR`;
      const parts = `SELECT ${key} AS value, ${attribute} AS part, false AS total FROM ${dimensionTable(family.dimension)} WHERE ${key} <> ${literal(family.total)} AND ${attribute} IS NOT NULL`;
      // The axis's total is the total of every part.
      const totals = `SELECT DISTINCT ${literal(family.total)}, part, true FROM (${parts})`;
      return {
        from: `${table} t JOIN (${parts} UNION ALL ${totals}) r ON t.${identifier(family.column)}::VARCHAR = r.value`,
        slice: own,
        part: 'r.part',
        total: 'r.total',
      };
    }
    case 'level': {
      const roles = slices.flatMap((slice, index) => {
        const parent = slices.findIndex(one => one.year === slice.year && one.detail === family.parent);
        if (slice.detail !== family.child || parent < 0) return [];
        return [`(${index}, ${index}, false)`, `(${parent}, ${index}, true)`];
      });
      return {
        from: `${table} t JOIN (VALUES ${roles.join(', ') || '(-1, -1, false)'}) r(slice, child, total) ON ${own} = r.slice`,
        slice: 'r.child',
        part: 'NULL::VARCHAR',
        total: 'r.total',
      };
    }
    default:
      return family satisfies never;
  }
}

/** One part is withheld, every other part is published, and the rest of the total is not negative. */
function isDerivable(metric: number): string {
  return `published${metric} = members - 1 AND total${metric} >= summed${metric}`;
}

/**
 * Compiles the counts per metric, part and slice: completely published families, those of them that add up, and
 * derivable cells. A total of 0 is no evidence that parts add up, because all of them are 0.
 */
export function compileCounts(metrics: readonly string[]): string {
  return metrics
    .map((_, i) => {
      const whole = `published${i} = members AND total${i} <> 0`;
      const counts = [
        `count(*) FILTER (${whole}) AS whole`,
        `count(*) FILTER (${whole} AND summed${i} = total${i}) AS adding`,
        `count(*) FILTER (${isDerivable(i)}) AS cells`,
      ];
      return `SELECT ${i} AS metric, part, slice, ${counts.join(', ')} FROM ${FAMILIES} GROUP BY part, slice`;
    })
    .join('\nUNION ALL\n')
    .concat('\nORDER BY metric, part, slice');
}

/** Compiles the statement that stores the derivable cells of one metric and part in some slices. */
export function compileCells(metric: number, part: string | null, slices: readonly number[]): string {
  return `INSERT INTO ${DISCLOSED} SELECT ${metric}, cell${metric} FROM ${FAMILIES} WHERE part IS NOT DISTINCT FROM ${literal(part)} AND slice IN (${literals(slices)}) AND ${isDerivable(metric)}`;
}
