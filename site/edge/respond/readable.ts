/** Answers for people: rows as a workbook or as a table in Markdown, with their source and the meaning of columns. */
import type { ColumnDescriptor, SchemaDocument, ServiceDocument } from '../../../build/format/documents.ts';
import { ROOT, schemaPath } from '../../../build/format/paths.ts';
import { countOf, groupDigits } from '../../../build/format/shown-text.ts';
import { spellYears } from '../../../build/format/time-text.ts';
import type { PageFacts } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
import type { ScanPlan } from '../../query/plan.ts';
import type { Exchange, Incoming } from '../answer.ts';
import type { Batch } from '../rows/parquet.ts';
import { BudgetExceeded } from '../rows/scan.ts';

/** The schema document of a dataset or a dimension, which has less. */
type Described = Partial<Omit<SchemaDocument, 'columns'>> & {
  readonly columns: readonly Partial<ColumnDescriptor>[];
};

/** As the reader wrote it. */
export function addressOf({ origin, root, path, query }: Incoming): string {
  return origin + root + path + query;
}

/** Facts about the answer, of which an empty one isn't known, and what is known of its columns. */
async function describeAnswer({ tree, incoming }: Exchange, plan: ScanPlan) {
  const { table, request, years, release, notices } = plan;
  const { version, license, attribution } = table.manifest;
  const isDataset = table.kind === 'dataset';
  const [domain = '', topic = ''] = table.name.split('/');
  const path = isDataset ? schemaPath(domain, topic) : `${table.folder}/schema.json`;
  const schema = await tree.document<Described>(path);
  const service = await tree.document<ServiceDocument>(ROOT.service);
  const title = schema?.title ?? table.name;
  const facts: readonly (readonly [string, string])[] = [
    ['Title', `${title} (${table.name})`],
    ['Address', addressOf(incoming)],
    ['Level', isDataset ? request.detail : ''],
    ['Years', spellYears(years)],
    ['Publisher', service?.service ?? ''],
    ['Source', schema?.source ?? ''],
    ['Licence', license ?? ''],
    ['Attribution', attribution ?? ''],
    ['Version', version],
    ['Release', release],
    ['As of', request.asOf ?? ''],
    ...notices.map(notice => ['Notice', notice] as const),
    ['Usage', schema?.usage ?? ''],
    ['Limitations', schema?.limitations ?? ''],
    ['Empty cells', 'An empty cell is NULL: there is no value, and it is not zero.'],
  ];
  const known = new Map(schema?.columns.map(column => [column.name, column]));
  const columns = table.columns.map(column => ({ ...known.get(column.name), ...column }));
  return { title, facts, columns };
}

/** The titles are those of CSV. Throws BudgetExceeded. */
export async function* renderSheets(
  exchange: Exchange,
  plan: ScanPlan,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Uint8Array> {
  const { workbooks } = exchange;
  if (!workbooks)
    throw new BudgetExceeded('it makes no workbooks: use format=csv, or save one from the pages');
  const { renderWorkbook } = await workbooks.open();
  const { facts, columns } = await describeAnswer(exchange, plan);
  const book = {
    names: { rows: 'Rows', notes: 'Notes' },
    columns: columns.map(({ name, utc }) => ({ title: name, width: Math.max(12, name.length + 2), utc })),
    facts,
    meanings: [
      ['Column', 'Label', 'Unit', 'An empty cell means', 'Description'],
      ...columns.map(({ name, label, unit, null_meaning: meaning, description }) =>
        [name, label, unit, meaning, description].map(text => text ?? ''),
      ),
    ],
    mostCells: workbooks.cells,
    modified: new Date(exchange.tree.manifest.date),
    refuse: (most: number) =>
      new BudgetExceeded(
        `here a workbook of ${countOf(columns.length, 'column')} has at most ${groupDigits(most)} rows, and a cell 32,767 characters: choose fewer rows with filters, limit and offset, or format=csv`,
      ),
  };
  yield await renderWorkbook(book, batches);
}

const encoder = new TextEncoder();

/** A page of rows in GitHub's Markdown. */
export async function* renderMarkdown(
  exchange: Exchange,
  plan: ScanPlan,
  { count, total, next }: PageFacts,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Uint8Array> {
  const { facts, columns, title } = await describeAnswer(exchange, plan);
  const heads = columns.map(({ name, label }) => {
    const isShared = columns.filter(other => other.label === label).length > 1;
    return label && isShared ? `${label} (${name})` : label || name;
  });
  const marks = columns.map(({ type }) => (type === 'integer' || type === 'number' ? '---:' : '---'));
  yield encoder.encode(`# ${markdownText(title)}\n\n${lineOf(heads.map(markdownText))}${lineOf(marks)}`);
  for await (const batch of batches) {
    let lines = '';
    for (let row = 0; row < batch.rows; row++)
      lines += lineOf(
        columns.map(({ utc }, i) => {
          const value = batch.columns[i]![row]!;
          return markdownText(utc && value !== null ? `${value}Z` : value);
        }),
      );
    yield encoder.encode(lines);
  }
  const offset = plan.request.offset;
  const rows = count === 0 ? 'no rows' : `${groupDigits(offset + 1)} to ${groupDigits(offset + count)}`;
  const all: readonly (readonly [string, string])[] = [
    ['Rows', total === null ? rows : `${rows}, of ${groupDigits(total)}`],
    ['Next rows', next === null ? '' : exchange.incoming.origin + next],
    ...facts,
  ];
  const notes = all.map(([name, text]) => (text === '' ? '' : `- ${name}: ${markdownText(text)}\n`));
  yield encoder.encode(`\n${notes.join('')}`);
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** A text of a line or cell that a reader of Markdown sees as it is. NULL is empty, and an empty text is `""`. */
export function markdownText(value: Value): string {
  if (typeof value !== 'string') return String(value ?? '');
  if (value === '') return '""';
  return value
    .replace(/[\\`*[\]<>#|~$]|_(?!\w)|(?<!\w)_|&(?=#?\w+;)|^"(?="$)/g, '\\$&')
    .replace(/^[ \t\n]|[ \t\n]$/g, one => `&#${one.charCodeAt(0)};`)
    .replaceAll('\n', '<br>');
}
