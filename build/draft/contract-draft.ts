/** Writes a drafted contract as YAML. A comment marks each guess, so that a person can confirm it. */
import { layoutLine } from '../lake/table-header.ts';
import type { Doubt } from '../lake/text-cells.ts';
import { openReadings } from '../lake/text-values.ts';
import type { ColumnGuess } from './column-guess.ts';
import { titleOf } from './draft-table.ts';
import { markerLines, type TableDraft } from './table-draft.ts';

/** JSON's quotes and escapes are valid in YAML. */
function text(value: string): string {
  return /^\p{L}[\p{L}\p{N}_. ]*$/u.test(value) &&
    !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value) &&
    !value.endsWith(' ')
    ? value
    : JSON.stringify(value).replace(
        /[\u007f-\u009f\u2028\u2029\ufeff]/g,
        one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
}

/** On one line, whatever names it quotes. */
function guess(reason: string, word = 'guess'): string {
  return `# ${word}: ${reason.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g, ' ')}`;
}

function property(name: string, value: string, reason?: string): string {
  return `- { property: ${name}, value: ${value} }${reason === undefined ? '' : ` ${guess(reason)}`}`;
}

function indented(lines: readonly string[], spaces: number): string[] {
  return lines.map(line => ' '.repeat(spaces) + line);
}

export function contractText(draft: TableDraft, domain: string): string {
  const { kind, name } = draft;
  const head = [
    `# Drafted by civic init from ${JSON.stringify(draft.file.name)}. Each guess has a comment: confirm it and remove the`,
    '# comment, or correct it. docs/contracts.md of the package lists every property. Then run:',
    '# npx civic-data-service validate',
    ...draft.notes.map(note => guess(note, 'note')),
    'apiVersion: v3.1.0',
    'kind: DataContract',
    `id: ${text(`${domain}.${name}`)}`,
    'version: 0.1.0',
    'status: active',
    `domain: ${text(domain)}`,
    'customProperties:',
    `  ${property('title', text(titleOf(name)), "from the file's name")}`,
    `  # - { property: source, value: "Who published which table or report" }`,
    'schema:',
    `  - name: ${text(name)}`,
    ...layoutLines(draft),
  ];
  return `${[...head, ...(kind === 'dataset' ? datasetLines(draft) : dimensionLines(draft, domain))].join('\n')}\n`;
}

/** The property `file_layout`, and lines that answer open questions about the file. */
function layoutLines({ layout, questions }: TableDraft): string[] {
  const { year_columns: years } = layout;
  const isStated = Object.keys(layout).length > 0;
  // Questions don't have the years yet.
  const [, found = ''] =
    years === undefined ? [] : (/value: \{ (.*) \} \}$/.exec(layoutLine({}, { year_columns: years })) ?? []);
  const settling = (line: string) =>
    `      # - ${found === '' ? line : line.replace('value: { ', () => `value: { ${found}, `)}${isStated ? ' # in place of the line below' : ''}`;
  const lines = questions.flatMap(question => [
    `      ${guess(question, 'question')}`,
    ...[...question.matchAll(/\{ property: file_layout, value: .*? \} \}/g)].map(([line]) => settling(line)),
  ]);
  if (isStated)
    lines.push(
      `      - ${layoutLine({}, layout)}${years === undefined ? '' : ` ${guess('the names of columns have years')}`}`,
    );
  return ['    customProperties:', ...lines];
}

function datasetLines({ grain, grainReason, columns, joins, layout, leftOut }: TableDraft): string[] {
  const custom =
    grain === null
      ? [guess(grainReason), `# ${property('grain', '[column, column]')}`]
      : [property('grain', `[${grain.map(text).join(', ')}]`, grainReason)];
  const metrics = columns.filter(({ role }) => role === 'metric');
  const metric = metrics.find(({ name }) => layout.year_columns?.[name] !== undefined) ?? metrics[0];
  if (metric !== undefined) custom.push(property('key_metric', text(metric.name), 'the first measure'));
  if (joins.length > 0) custom.push('- property: foreign_keys', '  value:');
  for (const join of joins) {
    const own = join.own ? ', attribute_columns: []' : '';
    custom.push(
      `    - { column: ${text(join.column)}, target_object: ${text(join.target)}, target_columns: [${text(join.key)}]${own} } ${guess(join.reason)}`,
    );
  }
  return [
    ...indented(custom, 6),
    '    properties:',
    ...columns.flatMap(column => {
      const { name, timeUnit, unit, roleReason, total } = column;
      const join = joins.find(one => one.column === name);
      const isAxis = column.role === 'categorical' && grain?.includes(name) === true && !join;
      const role = join ? `fk_${join.target.replace(/ies$/, 'y').replace(/s$/, '')}` : column.role;
      return columnLines(column, [
        property('column_role', role, join?.reason ?? roleReason),
        property('label', text(titleOf(name))),
        ...(timeUnit === null ? [] : [property('time_unit', timeUnit, roleReason)]),
        ...(unit === null ? [] : [property('unit', text(unit), 'from the name')]),
        ...(isAxis && total !== null ? [property('total_value', text(total), 'its name')] : []),
      ]);
    }),
    ...leftOutLines(leftOut),
  ];
}

function dimensionLines({ reason, grain, columns, leftOut, rowsOf }: TableDraft, domain: string): string[] {
  const rows = rowsOf === null ? [] : [property('rows_of', `${domain}/${rowsOf}`, 'it has these columns')];
  return [
    `    # A dimension: datasets join it by its key. ${guess(reason)}`,
    ...indented([property('entity_kind', 'dimension'), property('scope', 'domain'), ...rows], 6),
    '    properties:',
    ...columns.flatMap(column => {
      const isKey = grain?.includes(column.name) === true;
      const key = isKey ? [property('column_role', 'key')] : [];
      return columnLines(column, [...key, property('label', text(titleOf(column.name)))], isKey);
    }),
    ...leftOutLines(leftOut),
  ];
}

function columnLines(column: ColumnGuess, properties: readonly string[], isKey = false): string[] {
  const { name, type, typeReason, physical, required, reading, digits } = column;
  const { form, utc, doubt } = reading;
  const options = [
    ...(form.format === null ? [] : [`format: ${JSON.stringify(form.format)}`]),
    ...(utc ? ['timezone: true'] : []),
    // A shorter code of a later delivery lost its zeros.
    ...(digits === null ? [] : [`minLength: ${digits}`]),
  ].join(', ');
  const isTimed = type === 'date' || type === 'timestamp';
  const answers = doubt?.answers.map(({ yaml, means }) => `# ${yaml} # the first is ${means}`) ?? [];
  const marks = Object.entries({ decimal: form.decimal, group: form.group }).flatMap(([mark, value]) =>
    value === null ? [] : [property(mark, JSON.stringify(value), 'as the numbers are written')],
  );
  const lines = [
    `logicalType: ${type} ${guess(typeReason)}`,
    ...(physical === null ? [] : [`physicalType: ${physical} ${guess('as the file stores its texts')}`]),
    ...(doubt === null ? [] : [question(doubt)]),
    ...(isTimed ? answers : []),
    ...(options === '' || (isTimed && doubt !== null)
      ? []
      : [`logicalTypeOptions: { ${options} } ${guess('as the texts are written')}`]),
    ...(required ? [`required: true ${guess('no row lacks it')}`] : []),
    ...(isKey ? ['primaryKey: true', 'primaryKeyPosition: 1'] : []),
    'customProperties:',
  ];
  const open = doubt === null || isTimed ? marks : answers;
  return [
    `      - name: ${text(name)}`,
    ...indented(lines, 8),
    ...indented([...properties, ...markerLines(column), ...open], 10),
  ];
}

function question(doubt: Doubt): string {
  const cells = doubt.cells.map(cell => JSON.stringify(cell.text)).join(', ');
  const open = `: the column ${openReadings(doubt)}. Take the # from one of these lines`;
  return guess(cells + (doubt.kind === 'ambiguous' ? open : ''), 'question');
}

/** A build knows these types and leaves the columns out. */
function leftOutLines(columns: TableDraft['leftOut']): string[] {
  return columns.flatMap(({ name, native }) => [
    `      - name: ${text(name)}`,
    `        physicalType: ${native === 'BLOB' ? 'binary' : native?.endsWith(']') ? 'array' : 'struct'} ${guess('left out, for a table for readers has no lists, records or bytes')}`,
  ]);
}

export function publisherText(): string {
  return `# Who publishes. Every page and every document of the tree says so.
service: Open data # guess: give your service its name
# description: What the service publishes, in a sentence.
# license: CC-BY-4.0
# attribution: How users name you as the source.
# contact: data@example.org
`;
}
