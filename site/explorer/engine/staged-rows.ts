/** Answers the API's questions from a tree on the disk, in a build. */
import type { ReleaseChanges, SliceChanges } from '../../../build/format/changes.ts';
import { Catalog } from '../../edge/catalog.ts';
import type { FileBytes, Files } from '../../edge/files/files.ts';
import { compareTurn, openTurns } from '../../edge/past.ts';
import { ColumnCache } from '../../edge/rows/column-cache.ts';
import type { ChangedRow } from '../../query/past.ts';
import { ALL_YEARS } from '../../query/request.ts';
import type { DocumentSource } from '../pages/documents.ts';
import { toParameters } from '../view/question.ts';
import { openRows } from './coded-rows.ts';
import { BUDGET, readRows } from './rows-answer.ts';

export type StagedRows = Pick<DocumentSource, 'readRows' | 'readChanged'>;

/** The newest releases whose rows a page lists, and the most rows of each. */
const MOST_RELEASES = 3;
const MOST_ROWS = 12;

/** Reads a part of a file by its path from the tree's root; null if there is no such file. */
export type ReadRange = (path: string, start: number, end: number) => FileBytes | null;

export function openStagedRows(readRange: ReadRange): StagedRows {
  const files: Files = {
    stat: async path => {
      const found = readRange(path, 0, 0);
      return found && { bytes: found.size, modified: null, etag: null };
    },
    read: async (path, range) => readRange(path, range?.start ?? 0, range?.end ?? Number.POSITIVE_INFINITY),
  };
  const catalog = new Catalog(files);
  const { signal } = new AbortController();
  const reader = {
    files,
    cache: new ColumnCache(1 << 20),
    budget: BUDGET,
    incoming: { signal },
  };
  return {
    async readRows(question, { columns, limit = null } = {}) {
      const task = { parameters: toParameters(question), limit, sort: null };
      const { table } = question.dataset;
      const rowsReader = { files, signal, expect: () => undefined };
      return openRows((await readRows(table, task, rowsReader, columns)).table);
    },
    async readChanged(key, changes) {
      const latest = { ...changes, releases: changes.releases.slice(0, MOST_RELEASES) };
      const tree = await catalog.current();
      const found = latest.releases.length === 0 ? null : await tree.subject(key);
      if (found === null) return [];
      const told: ChangedRow[][] = [];
      for await (const turn of openTurns(tree, found.table, latest)) {
        const rows: ChangedRow[] = [];
        for (const slice of comparedSlices(turn.release)) {
          if (rows.length >= MOST_ROWS) break;
          const { detail } = slice;
          const request = {
            format: 'parquet',
            detail,
            years: ALL_YEARS,
            conditions: [],
            offset: 0,
            limit: null,
          } as const;
          const changed = await compareTurn(reader, request, turn, [slice]);
          rows.push(...changed.map(one => ({ ...one, detail })));
        }
        told.push(rows.slice(0, MOST_ROWS));
      }
      return told;
    },
  };
}

/** The slices whose rows can be compared, by level and year. */
function comparedSlices({ slices }: ReleaseChanges): SliceChanges[] {
  return slices
    .filter(({ change, added, removed, revised }) => change !== 'added' && added + removed + revised > 0)
    .sort((a, b) => (a.detail === b.detail ? a.year - b.year : a.detail < b.detail ? -1 : 1));
}
