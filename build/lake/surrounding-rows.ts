/** Removes rows that don't belong to a table: repeated headers, footers, totals. Asks about unclear ones. */
import type { FileLayout } from '../contract/custom-profile.ts';
import type { Session } from './database.ts';
import { literal } from './sql.ts';
import {
  askRows,
  capital,
  footerOf,
  isFigure,
  noteOf,
  questionOf,
  quoteFew,
  type Said,
  settleFooter,
} from './table-header.ts';

interface LastRow {
  readonly id: number;
  readonly cells: readonly string[];
}

/** Beginnings of footers. */
export const FOOTER =
  /^(sources?|notes?|footnotes?|data (source|as of|from)|prepared by|published|updated|last updated|as of|disclaimer|copyright|quelle|anmerkung|stand|hinweis|fuente|nota|notas|fonte|bron|kilde|källa|source\s*:|\(\d+ rows? affected\)|©)(\b|:|$)|^[*†‡§¹²³]/iu;

const TOTAL =
  '(grand |sub|state ?|overall )?totals?( .{1,40})?:?|.{1,40} totals?:?|(.{1,20} )?(average|mean|median)|durchschnitt|mittelwert|moyenne|promedio|media|sums?:?|gesamt(summe)?|insgesamt|summe|total général|ensemble|somme|suma|totale( generale)?|totaal|totalt|i alt|razem|ogółem|celkem|összesen|итого|всего';

/** Rows at the end in which footers are searched for. */
const LAST_ROWS = 30;
/** Columns in which words for totals are searched for, and whose sums are compared. */
const TEXT_COLUMNS = 8;
const SUM_COLUMNS = 40;

/** `known` are values in the contract: a total among them is a row. */
export async function dropSurroundings(
  session: Session,
  table: string,
  names: readonly string[],
  layout: FileLayout,
  known: ReadonlySet<string>,
  where: (rowid: number) => Promise<string>,
): Promise<readonly Said[]> {
  const said: Said[] = [];
  const columns = names.map((_, i) => `c${i}`);
  const filled = `coalesce(${columns.join(', ')})`;
  const find = async (condition: string) => {
    const ids = await session.rows<{ id: number }>(
      `SELECT rowid AS id FROM ${table} WHERE ${condition} ORDER BY rowid`,
    );
    return ids.map(({ id }) => Number(id));
  };
  const drop = (condition: string) => session.run(`DELETE FROM ${table} WHERE ${condition}`);
  await drop(`${filled} IS NULL`);
  if (names.length > 1) {
    const same = names.flatMap((name, i) => (name === '' ? [] : [`trim(c${i}) = ${literal(name)}`]));
    const again = same.length > 1 ? await find(same.join(' AND ')) : [];
    if (again[0] !== undefined) {
      const times = again.length === 1 ? 'once' : `${again.length} times`;
      const first = await where(again[0]);
      said.push(noteOf(`The header is repeated ${times}, first on ${first}; it is left out there.`));
      await drop(same.join(' AND '));
    }
  }
  const { skip_rows: skipped } = layout;
  for (const start of skipped ?? []) {
    const same = columns.map(column => `trim(${column}) = ${literal(start)}`);
    const condition = `starts_with(ltrim(${filled}), ${literal(start)}) OR ${same.join(' OR ')}`;
    const { length } = await find(condition);
    if (length === 0) continue;
    await drop(condition);
    const what = length === 1 ? '1 row that begins' : `${length} rows that begin`;
    const are = length === 1 ? 'is' : 'are';
    said.push(noteOf(`${what} with ${JSON.stringify(start)} ${are} left out, as file_layout says.`));
  }
  if (names.length < 2 || skipped?.length === 0) return said;
  const headings = await findHeadings(session, table, columns);
  const [heading] = headings;
  if (heading !== undefined) {
    const what = `${capital(await where(heading.id))} (${quoteFew(heading.cells)}) and other rows have a first cell alone, as headings of the rows below do`;
    said.push(questionOf(askRows(what, headings.map(textOf), layout)));
  }
  const footer = await findFooter(session, table, columns);
  if (footer.length > 0) {
    const [first] = footer;
    const text = quoteFew(first?.cells ?? []);
    const at = await where(first?.id ?? 0);
    const isPlain = FOOTER.test(textOf(first));
    if (isPlain) {
      const are = footer.length === 1 ? 'line is' : `${footer.length} lines are`;
      const settled = settleFooter(footer.map(textOf), layout);
      said.push(footerOf(`The last ${are} left out, from ${at}: ${text}. ${settled}`));
    } else {
      const rows = footer.length === 1 ? 'a row' : `${footer.length} rows`;
      const what = `The table ends with ${rows} of one text, from ${at} (${text})`;
      said.push(questionOf(askRows(what, [textOf(first)], layout)));
    }
    await session.run(`DELETE FROM ${table} WHERE rowid IN (${footer.map(({ id }) => id).join(', ')})`);
  }
  const totals = await findTotals(session, table, names, known);
  const [total] = totals;
  if (total !== undefined) {
    const others = totals.length === 1 ? '' : `, and ${totals.length - 1} more like it`;
    const what = `${capital(await where(total.id))} (${quoteFew(total.cells, 6)}) looks like a total of other rows: ${total.why}${others}`;
    said.push(questionOf(askRows(what, [...new Set(totals.map(({ word }) => word))], layout)));
  }
  if (totals.length > 0)
    await session.run(`DELETE FROM ${table} WHERE rowid IN (${totals.map(({ id }) => id).join(', ')})`);
  return said;
}

function textOf(row: LastRow | undefined): string {
  return row?.cells.find(cell => cell.trim() !== '')?.trim() ?? '';
}

/** The first row and others have only a first cell, and each is above rows that have more. */
async function findHeadings(
  session: Session,
  table: string,
  columns: readonly string[],
): Promise<readonly LastRow[]> {
  if (columns.length < 3) return [];
  const [first] = await lastRows(session, table, columns, 'ORDER BY rowid LIMIT 1');
  const isAlone = `c0 IS NOT NULL AND coalesce(${columns.slice(1).join(', ')}) IS NULL`;
  if (first === undefined || !/\p{L}/u.test(textOf(first)) || first.cells.slice(1).some(cell => cell !== ''))
    return [];
  const { alone, adjacent, rows } = await session.row<Record<'alone' | 'adjacent' | 'rows', number>>(
    `SELECT count(*) FILTER (a) AS alone, count(*) FILTER (a AND coalesce(b, true)) AS adjacent, count(*) AS rows FROM (SELECT ${isAlone} AS a, lead(${isAlone}) OVER (ORDER BY rowid) AS b FROM ${table})`,
  );
  if (alone < 2 || adjacent > 0 || alone * 2 > rows) return [];
  return lastRows(session, table, columns, `WHERE ${isAlone} ORDER BY rowid LIMIT 50`);
}

/** The last rows with one text, or with a footer's beginning. */
async function findFooter(
  session: Session,
  table: string,
  columns: readonly string[],
): Promise<readonly LastRow[]> {
  const rows = await lastRows(session, table, columns, `ORDER BY rowid DESC LIMIT ${LAST_ROWS}`);
  const found: LastRow[] = [];
  for (const row of rows) {
    const count = row.cells.filter(cell => cell.trim() !== '').length;
    const isMarked = FOOTER.test(textOf(row)) && count <= Math.max(1, Math.floor(columns.length / 2));
    if (count !== 1 && !isMarked) break;
    found.unshift(row);
  }
  const start = found.findIndex(row => FOOTER.test(textOf(row)));
  if (start >= 0) return found.slice(start);
  // A row with no figures has only one text too: its name.
  const isProse = (text: string) => text.split(/\s+/).length > 5 && columns.length > 2;
  const prose = found.findIndex(row => isProse(textOf(row)));
  return prose < 0 || found.length === rows.length ? [] : found.slice(prose);
}

async function lastRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rest: string,
): Promise<LastRow[]> {
  const rows = await session.rows<{ id: number; cells: readonly string[] }>(
    `SELECT rowid AS id, [${columns.map(column => `coalesce(${column}, '')`).join(', ')}] AS cells FROM ${table} ${rest}`,
  );
  return rows.map(({ id, cells }) => ({ id: Number(id), cells }));
}

interface TotalRow extends LastRow {
  readonly word: string;
  readonly why: string;
}

async function findTotals(
  session: Session,
  table: string,
  names: readonly string[],
  known: ReadonlySet<string>,
): Promise<TotalRow[]> {
  const columns = names.map((_, i) => `c${i}`);
  const texts = columns.slice(0, TEXT_COLUMNS);
  const isTotal = (column: string) =>
    `(${column} > ':' AND regexp_full_match(lower(trim(${column})), ${literal(TOTAL)}))`;
  const rows = await lastRows(
    session,
    table,
    columns,
    `WHERE ${texts.map(isTotal).join(' OR ')} ORDER BY rowid LIMIT 201`,
  );
  // A category repeats; a total doesn't.
  if (rows.length > 200) return [];
  if (rows.length === 0) return findWordlessTotals(session, table, names, known);
  const pattern = new RegExp(`^(${TOTAL})$`, 'iu');
  const ids = rows.map(({ id }) => id).join(', ');
  const others = await session.row<Record<string, number | null>>(
    `SELECT count(*) AS rows, min(rowid) AS least, max(rowid) AS most, ${[
      ...texts.map((column, i) => `count(*) FILTER (${column} IS NULL) AS "blank ${i}"`),
      ...sumsOf(columns),
    ].join(', ')} FROM ${table} WHERE rowid NOT IN (${ids})`,
  );
  if ((others.rows ?? 0) < 2) return [];
  const found: TotalRow[] = [];
  for (const row of rows) {
    const at = texts.findIndex((_, i) => pattern.test((row.cells[i] ?? '').trim()));
    const word = (row.cells[at] ?? '').trim();
    if (at < 0 || known.has(word)) continue;
    const figures = row.cells.flatMap((cell, i) => (i !== at && isFigure(cell) ? [i] : []));
    if (figures.length === 0) continue;
    const blank = texts.findIndex((_, i) => i !== at && row.cells[i] === '' && others[`blank ${i}`] === 0);
    const summed = figures.find(i => {
      const own = numberOf(row, i);
      const sum = others[`sum ${i}`] ?? 0;
      return own !== 0 && Math.abs(own - sum) <= 1e-6 * Math.abs(sum);
    });
    const isAlone = rows.filter(({ cells }) => (cells[at] ?? '').trim() === word).length === 1;
    const isEdge = row.id > (others.most ?? 0) || row.id < (others.least ?? 0);
    const why =
      blank >= 0
        ? `only there, ${JSON.stringify(names[blank])} is blank`
        : isAlone && summed !== undefined
          ? `its ${JSON.stringify(names[summed])} is the sum of the others`
          : isAlone && isEdge
            ? `it alone has ${JSON.stringify(word)} in ${JSON.stringify(names[at])}`
            : null;
    if (why !== null) found.push({ ...row, word, why });
  }
  return found;
}

function sumsOf(columns: readonly string[]): string[] {
  const sum = (column: string) => `sum(TRY_CAST(translate(${column}, ',$', '') AS DOUBLE))`;
  return columns.slice(0, SUM_COLUMNS).map((column, i) => `${sum(column)} AS "sum ${i}"`);
}

function numberOf({ cells }: LastRow, i: number): number {
  return Number((cells[i] ?? '').replace(/[,$]/g, ''));
}

/** More rows take long to add up, and have no total. */
const MOST_SUMMED = 100_000;

/**
 * The first or last row, if two of its figures are sums of all others, such as a state's row below its
 * counties.
 */
async function findWordlessTotals(
  session: Session,
  table: string,
  names: readonly string[],
  known: ReadonlySet<string>,
): Promise<TotalRow[]> {
  const { rows } = await session.row<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
  if (rows < 4 || rows > MOST_SUMMED) return [];
  const columns = names.map((_, i) => `c${i}`);
  const sums = await session.row<Record<string, number | null>>(
    `SELECT ${sumsOf(columns).join(', ')} FROM ${table}`,
  );
  const edges = ['ASC', 'DESC'].map(order =>
    lastRows(session, table, columns, `ORDER BY rowid ${order} LIMIT 1`),
  );
  return (await Promise.all(edges)).flat().flatMap(row => {
    const word = row.cells.find(cell => cell !== '' && !isFigure(cell))?.trim() ?? '';
    const equal = columns.slice(0, SUM_COLUMNS).flatMap((_, i) => {
      const own = numberOf(row, i);
      const sum = sums[`sum ${i}`] ?? 0;
      return own !== 0 && Math.abs(2 * own - sum) <= 1e-6 * Math.abs(sum) ? [JSON.stringify(names[i])] : [];
    });
    if (equal.length < 2 || word === '' || known.has(word)) return [];
    return [{ ...row, word, why: `its ${equal.slice(0, 2).join(' and ')} are the sums of all others` }];
  });
}
