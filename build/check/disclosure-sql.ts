/** Families of rows as SQL: one scan and one grouping per family, for all metrics at once. Pure. */

import { OWN_SCHEMA, SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, literal, literals } from '../lake/sql.ts';
import type { DisclosureFamily } from './disclosure-family.ts';

/** Families of one kind: slice, part, members, and per metric published, summed, total, cell. */
export const FAMILIES = `${OWN_SCHEMA}."_families"`;
/** Cells that can be worked out: metric (its number), cell (the row's number in the table of facts). */
export const DISCLOSED = `${OWN_SCHEMA}."_disclosed"`;

export interface FamilySource {
  /** The facts: a table, and what numbers its rows. */
  readonly table: string;
  readonly rowNumber: string;
  readonly slices: readonly LakeSlice[];
  readonly metrics: readonly string[];
  /** The table of a dimension, by its key. */
  readonly dimensionTable: (key: string) => string;
}

/** Which rows `t` belong to a family, in which slice and part of it, and whether a row is its total. */
interface Membership {
  readonly from: string;
  readonly slice: string;
  readonly part: string;
  readonly total: string;
}

/**
 * A query of the families that have a total and parts. Along an axis a row that is missing is unknown, so only
 * families with as many parts as the fullest of their slice are kept, and one value beside the total divides
 * nothing. Of a place's children all are there, be it one.
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
  // A column of the facts may have the name that it gets.
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
      // The total is the total of every part.
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

/** One part is withheld, everything else is published, and what is left of the total can be a count. */
function isDerivable(metric: number): string {
  return `published${metric} = members - 1 AND total${metric} >= summed${metric}`;
}

/**
 * Per metric, part and slice: families published whole, those of them that add up, and cells that can be worked
 * out. A total of 0 says nothing of whether parts add up: whatever they are, they are 0.
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

/** Keeps the cells of one metric and part in some slices. */
export function compileCells(metric: number, part: string | null, slices: readonly number[]): string {
  return `INSERT INTO ${DISCLOSED} SELECT ${metric}, cell${metric} FROM ${FAMILIES} WHERE part IS NOT DISTINCT FROM ${literal(part)} AND slice IN (${literals(slices)}) AND ${isDerivable(metric)}`;
}
