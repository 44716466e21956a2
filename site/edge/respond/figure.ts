/** The answer to a request with `figure`: the value of one row in one column, what is known about it, and its proof. */
import { renderBibtex } from '../../../build/format/bibtex.ts';
import { isWithin } from '../../../build/format/changes.ts';
import {
  type FigureDocument,
  FORMAT,
  MARGIN,
  type QualityDocument,
  type Scalar,
  type SchemaDocument,
  type ServiceDocument,
} from '../../../build/format/documents.ts';
import { SAMPLE_NOTICE } from '../../../build/format/envelope.ts';
import { contentLines, type RowColumn } from '../../../build/format/manifest.ts';
import { isRelease, PAGES, qualityPath, ROOT, schemaPath } from '../../../build/format/paths.ts';
import { oneLine } from '../../../build/format/shown-text.ts';
import { CHECKPOINT, entryBytes } from '../../../build/format/signed-log.ts';
import { AS_OF, parseFigureKey, refuseKey } from '../../query/past.ts';
import type { Value } from '../../query/order.ts';
import { planScan } from '../../query/plan.ts';
import { formatQuery, parseReadable, withPair } from '../../query/query-string.ts';
import type { RowsRequest } from '../../query/request.ts';
import { listKey, type Table } from '../../query/table.ts';
import { type Answer, acceptsHtml, bodyAnswer, concat, type Exchange } from '../answer.ts';
import { sha256 } from '../files/sha256.ts';
import { readChain, readChanges } from '../past.ts';
import type { GroupRef } from '../rows/group-reader.ts';
import { pickValues, Scan } from '../rows/scan.ts';
import { readPeriods } from './earlier-releases.ts';
import { errorHeaders } from './headers.ts';
import { refuse, refuseParameters } from './refusal.ts';
import { sendText } from './representation.ts';

interface Asked {
  /** Today. */
  readonly current: Table;
  /** At the moment that the request names. */
  readonly table: Table;
  readonly request: RowsRequest;
}

export async function respondFigure(exchange: Exchange, given: Asked): Promise<Answer> {
  const { incoming, files } = exchange;
  const pairs = parseReadable(incoming.query);
  const isForPeople = acceptsHtml(incoming) && !pairs.some(({ name }) => name === 'format');
  if (isForPeople && (await files.stat(`${PAGES.figure}/index.html`, incoming.signal))) {
    const Location = `${incoming.root}/${PAGES.figure}/#${given.table.name}${incoming.query}`;
    return bodyAnswer(303, errorHeaders({ Location, Vary: 'Accept' }));
  }
  const key = parseFigureKey(given.table, given.request);
  const asked = key.request && { ...given, request: key.request };
  const row = asked && (await findRow(exchange, asked));
  if (!asked || row === 'several' || (row === null && key.missing.length > 0))
    return refuseParameters(incoming, refuseKey(key, pairs, 'figure'));
  if (row === null) return refuse(404, `${given.table.name} has no such row. Leave out 'figure' to see why.`);
  const figure = await describeFigure(exchange, asked, row);
  return sendText(exchange, '.json', `${JSON.stringify(figure, null, 2)}\n`, { Vary: 'Accept' });
}

interface FoundRow extends GroupRef {
  /** As rows have them, by column. */
  readonly cells: Readonly<Record<string, Scalar | null>>;
}

/** Looks in the slice's own file, since copies come and go. Null if no row has the key. */
async function findRow(exchange: Exchange, { table, request }: Asked): Promise<FoundRow | 'several' | null> {
  const levels = [...table.levels].map(([name, level]) => [name, { ...level, copies: [] }] as const);
  const plan = planScan({ ...table, levels: new Map(levels) }, request);
  const scan = new Scan(plan, { ...exchange, signal: exchange.incoming.signal });
  for await (const picked of scan.pick(2)) {
    if (picked.rows.length > 1) return 'several';
    const values = await pickValues(scan.reader, picked);
    const cells = table.columns.map((column, at) => [column.name, asPublished(column, values[at]![0])]);
    return { cells: Object.fromEntries(cells), ...picked.groups[picked.at[0]!]! };
  }
  return null;
}

async function describeFigure(exchange: Exchange, asked: Asked, row: FoundRow): Promise<FigureDocument> {
  const { tree, incoming } = exchange;
  const { table, request } = asked;
  const { name: dataset, manifest } = table;
  const [domain = '', topic = ''] = dataset.split('/');
  const schema = await tree.document<SchemaDocument>(schemaPath(domain, topic));
  const service = await tree.document<ServiceDocument>(ROOT.service);
  if (!schema || !service) throw new Error(`The tree lacks documents of ${dataset}.`);
  // What rules said of rows that have changed since isn't kept.
  const quality = table.past ? null : await tree.document<QualityDocument>(qualityPath(domain, topic));
  const moment = request.asOf ?? tree.manifest.release;
  const ofDay = isRelease(moment) ? [] : (await readChain(tree)).filter(one => one.slice(0, 10) <= moment);
  const release = ofDay.at(-1) ?? moment;
  const column = request.figure ?? '';
  const described = schema.columns.find(({ name }) => name === nameToday(table, column));
  const label = described?.label || column;
  // Releases side by side never change, so the address is at the root, which knows later ones.
  const root = incoming.origin + incoming.root.replace(/\/releases\/[^/]+$/, '');
  const given = parseReadable(incoming.query).filter(({ name }) => !/^(format|limit|offset)$/.test(name));
  const fixed = withPair(withPair(given, 'detail', request.detail), AS_OF, release);
  const address = root + incoming.path + formatQuery(fixed);
  const key = describeKey(table, schema, row);
  const { license, attribution, version, sample } = manifest;
  const author = oneLine(schema.creator ?? schema.source ?? attribution ?? service.service);
  const what = oneLine([label, ...key.map(({ value, name }) => name ?? value)].join(', '));
  const title = `${what}. In: ${oneLine(schema.title)}`;
  const [year, publisher] = [release.slice(0, 4), oneLine(service.service)];
  const note = `Data set, release ${release}.${sample ? ` ${SAMPLE_NOTICE}` : ''}`;
  return {
    ...{ format: FORMAT, release, ...(sample && { sample }), address },
    ...{ dataset, title: schema.title, version, detail: request.detail },
    ...{ column, label, unit: described?.unit ?? null, value: row.cells[column] ?? null },
    margin: (row.cells[column + MARGIN] ?? null) as number | null,
    ...{ null_meaning: described?.null_meaning ?? null, null_semantics: schema.null_semantics, key },
    rules: quality?.rules.filter(rule => isAbout(rule, column)) ?? null,
    ...(await describeHistory(exchange, asked, row, schema)),
    proof: await describeProof(exchange, row),
    ...{ license, license_url: service.license_url, attribution },
    citation: {
      text: `${author} (${year}). ${title} (version ${version}). ${publisher}. ${note} ${address}`,
      bibtex: renderBibtex([domain, topic, column, year], {
        ...{ author, title, year, publisher, version, note, url: address },
      }),
    },
  };
}

/** A rule of the whole table is about the columns that its SQL names. */
function isAbout({ column, query }: QualityDocument['rules'][number], name: string): boolean {
  return column === name || (column === null && (query ?? '').split(/[^\p{L}\p{N}_]+/u).includes(name));
}

function asPublished({ utc }: RowColumn, value: Value = null): Scalar | null {
  return utc && value !== null ? `${value}Z` : value;
}

/** Undefined if the dataset no longer has the column. */
function nameToday({ past }: Table, name: string): string | undefined {
  return past ? [...past.names].find(([, earlier]) => earlier === name)?.[0] : name;
}

function describeKey(table: Table, schema: SchemaDocument, { cells }: FoundRow) {
  const columns = [table.columns[table.year]?.name ?? '', ...listKey(table).map(({ column }) => column)];
  return [...new Set(columns)].flatMap(column => {
    const value = cells[column] ?? null;
    if (value === null) return [];
    const described = schema.columns.find(one => one.name === nameToday(table, column));
    const join = schema.foreign_keys.find(one => one.column === described?.name);
    const added = join?.attribute_columns_added.find(one => one in cells) ?? '';
    const name = cells[added] ?? described?.value_labels?.[String(value)];
    const label = described?.label || column;
    return [{ column, label, value, ...(name != null && { name: String(name) }) }];
  });
}

/** What `history=true` answers, of the figure alone. */
async function describeHistory(
  exchange: Exchange,
  { current, table, request }: Asked,
  row: FoundRow,
  { withdrawn_slices: withdrawn = [] }: SchemaDocument,
): Promise<Pick<FigureDocument, 'since' | 'history' | 'changed'>> {
  const changes = await readChanges(exchange.tree, current);
  const { figure = '', detail } = request;
  const conditions = request.conditions.map(one => {
    return { ...one, columns: one.columns.map(name => nameToday(table, name) ?? '') };
  });
  const [now, margin] = [figure, figure + MARGIN].map(name => nameToday(table, name));
  const columns = [now, margin].flatMap(name => current.columns.find(one => one.name === name) ?? []);
  const year = table.year < 0 ? 0 : Number(row.cells[table.columns[table.year]!.name]);
  const asked = { table: current, request: { ...request, conditions }, changes };
  const periods = now && columns[0]?.name === now ? await readPeriods(exchange, asked, year, columns) : [];
  const history = periods.map(({ row: values, ...period }, i) => {
    const gone = periods[i + 1]?.row === null ? withdrawn.filter(one => isWithin(one, { year, detail })) : [];
    const why = [...period.why, ...gone.map(({ reason }) => reason)];
    if (values === null || typeof values === 'string')
      return { ...period, why, row: null, ...(values === 'forgotten' && { forgotten: true as const }) };
    const value = asPublished(columns[0]!, values[0]);
    return { ...period, why, row: { value, margin: (values[1] ?? null) as number | null } };
  });
  const own = JSON.stringify({ value: row.cells[figure], margin: row.cells[figure + MARGIN] ?? null });
  const at = history.findLastIndex(one => JSON.stringify(one.row) === own);
  const found = { since: changes.since, history };
  if (at >= 0 && at === history.length - 1) return found;
  const { until: date = null, changed_by: release = null } = history[Math.max(0, at)] ?? {};
  const why = [...new Set(history.slice(Math.max(0, at), -1).flatMap(one => one.why))];
  return { ...found, changed: { date, release, why, row: history.at(-1)?.row ?? null } };
}

async function describeProof({ tree, incoming: { root } }: Exchange, { file, index }: GroupRef) {
  const group = { index, sha256: file.row_groups[index]?.sha256 ?? null };
  const proof = { file: { path: `${root}/${file.path}`, sha256: file.sha256 }, row_group: group };
  const isSigned = (await tree.checksums())?.has(CHECKPOINT);
  if (!isSigned) return proof;
  const { release, date } = tree.manifest;
  const content = await sha256(new TextEncoder().encode(contentLines(tree.manifest)));
  const entry = { release, date, content };
  const leaf = await sha256(concat([Uint8Array.of(0), entryBytes(entry)]));
  return { ...proof, log: { checkpoint: `${root}/${CHECKPOINT}`, entry, leaf } };
}
