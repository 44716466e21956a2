/** Finds the places whose boundaries a GeoJSON or TopoJSON file has: those of a dimension, or of a dataset's column. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { type Boundary, readBoundaries } from '../lake/boundaries.ts';
import type { Session } from '../lake/database.ts';
import { findKey } from '../slice/dimension-shapes.ts';
import { type ColumnGuess, count } from './column-guess.ts';
import type { DraftFile, DraftTable } from './draft-table.ts';
import { keyDimension, type TableDraft } from './table-draft.ts';

/** A draft, and the table that its columns are read from. */
export interface OpenDraft {
  readonly draft: TableDraft;
  readonly table: DraftTable;
}

/** Gives each file to the places that it has most keys of. Returns a diagnostic for a file that has none. */
export async function linkBoundaries(
  session: Session,
  files: readonly DraftFile[],
  drafts: readonly OpenDraft[],
  taken: Set<string>,
): Promise<{ readonly drafts: readonly OpenDraft[]; readonly problems: readonly Diagnostic[] }> {
  let all = [...drafts];
  const problems: Diagnostic[] = [];
  for (const file of files) {
    const found = readBoundaries({ ...file, path: file.name });
    if ('severity' in found) problems.push(found);
    else {
      const linked = await linkOne(session, file, found, all, taken);
      if (linked === null) problems.push(unknownPlaces(file));
      else all = linked;
    }
  }
  return { drafts: all, problems };
}

function unknownPlaces({ name }: DraftFile): Diagnostic {
  const message =
    'No column of the tables has the keys of these boundaries, as their id or in a property. Name the table with these places too, or leave the file out.';
  return { severity: 'error', code: 'draft-boundaries', file: name, message };
}

async function linkOne(
  session: Session,
  file: DraftFile,
  boundaries: readonly Boundary[],
  drafts: readonly OpenDraft[],
  taken: Set<string>,
): Promise<OpenDraft[] | null> {
  const matched = async ({ table }: OpenDraft, { value }: ColumnGuess) => {
    const rows = await session.rows<{ key: string }>(
      `SELECT DISTINCT ${value}::VARCHAR AS key FROM ${table.table} WHERE ${value} IS NOT NULL LIMIT 200000`,
    );
    const keys = new Map(rows.map(({ key }) => [key, null]));
    return findKey(boundaries, keys, null)?.matched ?? 0;
  };
  let best: { readonly open: OpenDraft; readonly column: ColumnGuess; readonly matches: number } | null =
    null;
  for (const open of drafts) {
    const { draft } = open;
    const places = draft.columns.filter(({ name, role, type, required }) =>
      draft.kind === 'dimension'
        ? draft.grain?.length === 1 && draft.grain[0] === name
        : role === 'categorical' &&
          (type === 'string' || type === 'integer') &&
          required &&
          !draft.joins.some(join => join.column === name),
    );
    for (const column of places) {
      const matches = await matched(open, column);
      // Few of many values are equal by chance.
      if (matches > (best?.matches ?? 0) && matches * 2 >= column.distinct) best = { open, column, matches };
    }
  }
  if (best === null) return null;
  const { open, column, matches } = best;
  const reason = `${file.name} has the boundaries of ${count(matches, 'place')}`;
  const placed = (draft: TableDraft): TableDraft => ({ ...draft, boundaries: file });
  if (open.draft.kind === 'dimension')
    return drafts.map(one => {
      if (one !== open) return one;
      return { ...one, draft: placed({ ...one.draft, notes: [...one.draft.notes, `${reason}.`] }) };
    });
  const [joined, dimension] = keyDimension(open.draft, column, [column], reason, taken);
  return drafts.flatMap(one =>
    one === open
      ? [
          { ...one, draft: joined },
          { ...one, draft: placed(dimension) },
        ]
      : [one],
  );
}
