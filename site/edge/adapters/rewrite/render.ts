/** The files that a host needs to answer the API by rewriting, from published documents. Pure. */
import { PAGE_ROWS, TEXT_FORMATS } from '../../../../build/format/documents.ts';
import type { HostFile, PublishedDocuments } from '../../../../build/format/host-files.ts';
import { ROOT } from '../../../../build/format/paths.ts';
import { yearRuns } from '../../../../build/format/time-text.ts';
import { isEnd } from '../../../query/condition.ts';
import type { Parameter } from '../../../query/parameters.ts';
import {
  type Level,
  prepareDataset,
  prepareDimension,
  type Slice,
  type Table,
} from '../../../query/table.ts';
import { renderConfiguration } from './nginx-configuration.ts';

/** The text for each dataset and dimension, sorted by key. */
type Entries = readonly (readonly [key: string, entry: string])[];

/** Most bytes of a value in a key value store. */
const VALUE_BYTES = 1024;

/**
 * cloudfront-function.js, the same for every tree, and keyvaluestore.json, whose keys begin with the release.
 * `paths`: those of all files of the tree; `script`: the compiled cloudfront.ts, as `civic`.
 */
export function renderCloudFrontFiles(
  tree: PublishedDocuments,
  paths: Iterable<string>,
  script: string,
): readonly HostFile[] {
  const { release } = tree.manifest;
  const entries = renderEntries(tree);
  const folders = findFolders(paths).map((folder): Entries[number] => [folder, '-']);
  const values = [...entries, ...folders].flatMap(([key, entry]) => splitEntry(`${release}/${key}`, entry));
  const data = [{ key: release, value: 'whole' }, ...values];
  return [
    { path: 'cloudfront-function.js', text: `import cf from 'cloudfront';\n${script.trim()}\n${HANDLER}` },
    { path: 'keyvaluestore.json', text: `${JSON.stringify({ data }, null, 1)}\n` },
  ];
}

/** The engine allows `await` only as a statement of its own. */
const HANDLER = `const store=cf.kvs();
async function handler(event){const answer=await civic.answer(event.request,store);return answer}
`;

/** A part that another follows ends in `|`. */
function splitEntry(key: string, entry: string): { key: string; value: string }[] {
  const room = VALUE_BYTES - 1;
  const count = Math.max(1, Math.ceil(entry.length / room));
  return Array.from({ length: count }, (_, index) => ({
    key: index === 0 ? key : `${key}#${index + 1}`,
    value: entry.slice(index * room, (index + 1) * room) + (index < count - 1 ? '|' : ''),
  }));
}

/**
 * The table in each tree for nginx's script: a line for each dataset and dimension, with its key and its
 * entry.
 */
export function renderTable(tree: PublishedDocuments): HostFile {
  const lines = renderEntries(tree).map(([key, entry]) => `${key} ${entry}\n`);
  return { path: ROOT.rewriting, text: `# What nginx answers from.\n${lines.join('')}` };
}

/** nginx.conf and civic-njs.js, the same for every tree. `script`: the compiled nginx.ts, as `civic`. */
export function renderNginxFiles(script: string): readonly HostFile[] {
  return [
    // njs supports only a default export.
    { path: 'civic-njs.js', text: `import fs from 'fs';\n${script.trim()}\nexport default civic;\n` },
    { path: 'nginx.conf', text: renderConfiguration() },
  ];
}

/** Entries name no files, so the tables need no folder. */
function renderEntries({ datasets, dimensions }: PublishedDocuments): Entries {
  const entries: Entries = [
    ...datasets.map(
      ({ manifest, schema }) =>
        [manifest.dataset, renderEntry(prepareDataset('', manifest, schema))] as const,
    ),
    ...dimensions.map(({ domain, manifest }) => {
      const key = `${domain}/_dimensions/${manifest.dimension}`;
      return [key, renderEntry(prepareDimension('', manifest))] as const;
    }),
  ];
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** With a slash before and none after; `/` is the tree itself. */
function findFolders(paths: Iterable<string>): string[] {
  const folders = new Set(['/']);
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1))
      folders.add(`/${path.slice(0, at)}`);
  return [...folders].sort();
}

/**
 * The table's text for a dataset or dimension:
 *
 *     year=,area_code/season;2015+3 2020;regions 4f,,50!;stations 1a0;nation
 *
 * 1. The columns that order the rows, percent-encoded; after `/` the other parameters that filter rows. A mark follows
 *    some names. `=`: the column isn't a parameter. `*`: a listed value is empty or has a comma, so the meaning of a text
 *    depends on the values. `**`: keys of places, whose meaning depends on the level's columns. A final `~`: columns
 *    have ranges.
 * 2. The years of all levels; `2015+3` is 2015 to 2018. A dimension or a dataset without time has only the year 0.
 * 3. Each level, the default first, with the rows of its slices by year, in base 36. `!`: no JSON; `*`: no CSV; `-`: no
 *    slice. Empty, or left out at the end: as in the year before.
 */
export function renderEntry(table: Table): string {
  const order = table.order.map(position => table.columns[position]!.name);
  const marks = new Map(
    [...table.parameters].flatMap(([name, parameter]) => {
      const mark = markOf(parameter);
      return mark === null ? [] : [[name, mark] as const];
    }),
  );
  const others = [...marks].filter(([name]) => !order.includes(name));
  // Listing the names of ranges would take too much room.
  const ranged = [...table.parameters.values()].some(one => one.kind === 'column' && isEnd(one.bound));
  const years = new Set([...table.levels.values()].flatMap(level => level.years));
  const sorted = [...years].sort((a, b) => a - b);
  const levels = [...new Set([table.schema.default_detail, ...table.schema.detail_levels])];
  return [
    `${order.map(name => encodeName(name) + (marks.get(name) ?? '=')).join(',')}/${[
      ...others.map(([name, mark]) => encodeName(name) + mark),
      ...(ranged ? ['~'] : []),
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
      if (isEnd(parameter.bound)) return null;
      // The host writes no SQL for other bounds.
      if (parameter.bound !== 'key') return '**';
      // Alone, such a value may be written as it is.
      return parameter.choices?.some(choice => choice === '' || choice.includes(',')) ? '*' : '';
    case 'place':
      return '**';
    default:
      return null;
  }
}

/** Without the characters that separate entries. */
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
  const { rows, json } = slice;
  const isWhole = TEXT_FORMATS.every(format => format === 'json' || slice[format].length === 1);
  return rows.toString(36) + (arePages(json, rows) ? '' : '!') + (isWhole ? '' : '*');
}

/** Whether all pages exist and are full except the last, so that the offset gives the page's number. */
function arePages(files: Slice['json'], rows: number): boolean {
  return (
    files.length === Math.max(1, Math.ceil(rows / PAGE_ROWS)) &&
    files.every((file, index) => file.rows === Math.min(PAGE_ROWS, rows - index * PAGE_ROWS))
  );
}
