/**
 * What the rules must know of a dataset or a dimension, as one short text:
 *
 *     year=,area_code/season;2015+3 2020;regions 4f,,50!;stations 1a0;nation
 *
 * First the columns that order the rows, percent-encoded; after `/` the other parameters that filter
 * rows. `=` follows a column that is no such parameter, `*` one of which a listed value is empty or holds a comma, so that
 * only a list of the values tells what a text means, and `**` one of which only the level's columns do (keys of places);
 * last `~` if columns have ranges; then the years of any level, where `2015+3` is 2015 to 2018; then each level, the
 * default first, with the rows of its slices in the order of the years.
 * Rows are in base 36, followed by `!` where the slice has no JSON and by `*` where it has no CSV; `-` where there is no
 * slice; empty, or left out at the end, where they are the year's before. A dimension has the year 0 alone, and so
 * has a dataset without time.
 */
import { PAGE_ROWS } from '../../../../build/format/documents.ts';
import { isListable } from '../../../../build/format/paths.ts';
import { yearRuns } from '../../../../build/format/time-text.ts';
import type { ColumnParameter, Parameter } from '../../../query/parameters.ts';
import type { Level, Slice, Table } from '../../../query/table.ts';

export function renderEntry(table: Table): string {
  const order = table.order.map(position => table.columns[position]!.name);
  const marks = new Map(
    [...table.parameters].flatMap(([name, parameter]) => {
      const mark = markOf(parameter);
      return mark === null ? [] : [[name, mark] as const];
    }),
  );
  const others = [...marks].filter(([name]) => !order.includes(name));
  const years = new Set([...table.levels.values()].flatMap(level => level.years));
  const sorted = [...years].sort((a, b) => a - b);
  const detail = table.parameters.get('detail');
  const rule = detail?.kind === 'rule' ? detail.rule : null;
  const choices = rule?.kind === 'choice' ? rule.choices : [];
  const levels = [...new Set([table.schema.default_detail, ...choices])];
  return [
    `${order.map(name => encodeName(name) + (marks.get(name) ?? '=')).join(',')}/${[
      ...others.map(([name, mark]) => encodeName(name) + mark),
      ...markRanges(table),
    ].join(',')}`,
    yearRuns(sorted)
      .map(({ first, last }) => (first === last ? `${first}` : `${first}+${last - first}`))
      .join(' '),
    ...levels.map(name => renderLevel(name, table.levels.get(name), sorted)),
  ].join(';');
}

/** What follows the name of a parameter that filters rows; null for other parameters. */
function markOf(parameter: Parameter): string | null {
  switch (parameter.kind) {
    case 'column':
      if (parameter.bound !== 'key') return null;
      return hasUnlistable(parameter) ? '*' : '';
    case 'place':
      return '**';
    default:
      return null;
  }
}

/** Their names would take too much room. */
function markRanges({ parameters }: Table): string[] {
  return [...parameters.values()].some(one => one.kind === 'column' && one.bound !== 'key') ? ['~'] : [];
}

function hasUnlistable({ choices }: ColumnParameter): boolean {
  return choices?.some(choice => !isListable(choice)) === true;
}

/** Free of what divides entries and ends a text. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/[*~]/g, letter => `%${letter.charCodeAt(0).toString(16)}`);
}

function renderLevel(name: string, level: Level | undefined, years: readonly number[]): string {
  const slices = new Map(level?.slices.map(slice => [slice.year, slice]));
  if (slices.size === 0) return name;
  const cells = years.map(year => renderSlice(slices.get(year)));
  const changes = cells.map((cell, index) => (cell === cells[index - 1] ? '' : cell));
  return `${name} ${changes.join(',').replace(/,+$/, '')}`;
}

function renderSlice(slice: Slice | undefined): string {
  if (!slice) return '-';
  const { rows, json, csv } = slice;
  return rows.toString(36) + (arePages(json, rows) ? '' : '!') + (csv.length === 1 ? '' : '*');
}

/** Whether every page is there and full but the last, so that its number follows from the offset. */
function arePages(files: Slice['json'], rows: number): boolean {
  return (
    files.length === Math.max(1, Math.ceil(rows / PAGE_ROWS)) &&
    files.every(({ entry }, index) => entry.rows === Math.min(PAGE_ROWS, rows - index * PAGE_ROWS))
  );
}
