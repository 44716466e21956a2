/** Writes a drafted contract as YAML. A comment marks each guess, so that a person can confirm it. */
import { layoutLine } from '../lake/table-header.ts';
import type { Doubt } from '../lake/text-cells.ts';
import { openReadings } from '../lake/text-values.ts';
import type { ColumnGuess } from './column-guess.ts';
import { titleOf } from './draft-table.ts';
import { type DraftJoin, markerLines, type TableDraft } from './table-draft.ts';

/** JSON's quotes and escapes are valid in YAML. */
function text(value: string): string {
  return /^[\p{L}][\p{L}\p{N}_ ]*$/u.test(value) &&
    !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value) &&
    !value.endsWith(' ')
    ? value
    : JSON.stringify(value).replace(
        /[\u007f-\u009f\u2028\u2029\ufeff]/g,
        one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
}

/** On one line, whatever names it quotes. */
function guess(reason: string): string {
  return `# guess: ${reason.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g, ' ')}`;
}

export function contractText(draft: TableDraft, domain: string): string {
  const { kind, name } = draft;
  const head = [
    `# Drafted by civic init from ${JSON.stringify(draft.file.name)}. Each guess has a comment: confirm it and remove the`,
    '# comment, or correct it. docs/contracts.md of the package lists every property. Then run:',
    '# npx civic-data-service validate',
    ...draft.notes.map(note => guess(note).replace('# guess:', '# note:')),
    'apiVersion: v3.1.0',
    'kind: DataContract',
    `id: ${domain}.${name}`,
    'version: 0.1.0',
    'status: active',
    `domain: ${domain}`,
    'customProperties:',
    `  - { property: title, value: ${text(titleOf(name))} } ${guess("from the file's name")}`,
    `  # - { property: source, value: "Who published which table or report" }`,
    'schema:',
    `  - name: ${name}`,
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
    `      ${guess(question).replace('# guess:', '# question:')}`,
    ...[...question.matchAll(/\{ property: file_layout, value: .*? \} \}/g)].map(([line]) => settling(line)),
  ]);
  if (isStated)
    lines.push(
      `      - ${layoutLine({}, layout)}${years === undefined ? '' : ` ${guess('the names of columns have years')}`}`,
    );
  return ['    customProperties:', ...lines];
}

function datasetLines({ grain, grainReason, columns, joins, layout, leftOut }: TableDraft): string[] {
  const custom: string[] = [];
  if (grain === null)
    custom.push(`      ${guess(grainReason)}`, '      # - { property: grain, value: [column, column] }');
  else
    custom.push(`      - { property: grain, value: [${grain.map(text).join(', ')}] } ${guess(grainReason)}`);
  const metrics = columns.filter(({ role }) => role === 'metric');
  const metric = metrics.find(({ name }) => layout.year_columns?.[name] !== undefined) ?? metrics[0];
  if (metric !== undefined)
    custom.push(
      `      - { property: key_metric, value: ${text(metric.name)} } ${guess('the first measure')}`,
    );
  if (joins.length > 0) {
    custom.push('      - property: foreign_keys', '        value:');
    for (const join of joins) {
      const own = join.own ? ', attribute_columns: []' : '';
      custom.push(
        `          - { column: ${text(join.column)}, target_object: ${join.target}, target_columns: [${text(join.key)}]${own} } ${guess(join.reason)}`,
      );
    }
  }
  return [
    ...custom,
    '    properties:',
    ...columns.flatMap(column => factColumn(column, joins)),
    ...leftOutLines(leftOut),
  ];
}

function factColumn(column: ColumnGuess, joins: readonly DraftJoin[]): string[] {
  const join = joins.find(one => one.column === column.name);
  const role = join === undefined ? column.role : `fk_${join.target.replace(/ies$/, 'y').replace(/s$/, '')}`;
  const lines = [
    `          - { property: column_role, value: ${role} } ${guess(join?.reason ?? column.roleReason)}`,
    `          - { property: label, value: ${text(titleOf(column.name))} }`,
  ];
  if (column.timeUnit !== null)
    lines.push(`          - { property: time_unit, value: ${column.timeUnit} } ${guess(column.roleReason)}`);
  if (column.unit !== null)
    lines.push(`          - { property: unit, value: ${text(column.unit)} } ${guess('from the name')}`);
  return [
    ...columnLines(column),
    '        customProperties:',
    ...lines,
    ...indented(markerLines(column)),
    ...markLines(column),
  ];
}

function indented(lines: readonly string[]): string[] {
  return lines.map(line => `          ${line}`);
}

function columnLines({ name, type, typeReason, physical, required, reading }: ColumnGuess): string[] {
  const options = [
    ...(reading.form.format === null ? [] : [`format: ${JSON.stringify(reading.form.format)}`]),
    ...(reading.utc ? ['timezone: true'] : []),
  ];
  const { doubt } = reading;
  const asked = doubt !== null && isTimed(type) ? doubt : null;
  return [
    `      - name: ${text(name)}`,
    `        logicalType: ${type} ${guess(typeReason)}`,
    ...(physical === null
      ? []
      : [`        physicalType: ${physical} ${guess('as the file stores its texts')}`]),
    ...(doubt === null ? [] : [`        ${question(doubt)}`]),
    ...(asked?.answers.map(({ yaml, means }) => `        # ${yaml} # the first is ${means}`) ?? []),
    ...(options.length === 0 || asked !== null
      ? []
      : [`        logicalTypeOptions: { ${options.join(', ')} } ${guess('as the texts are written')}`]),
    ...(required ? [`        required: true ${guess('no row lacks it')}`] : []),
  ];
}

function isTimed(type: ColumnGuess['type']): boolean {
  return type === 'date' || type === 'timestamp';
}

function question(doubt: Doubt): string {
  const cells = doubt.cells.map(cell => JSON.stringify(cell.text)).join(', ');
  const what =
    doubt.kind === 'ambiguous'
      ? `${cells}: the column ${openReadings(doubt)}. Take the # from one of these lines`
      : cells;
  return guess(what).replace('# guess:', '# question:');
}

/** Custom properties, or commented lines if there is a question. */
function markLines({ type, reading: { form, doubt } }: ColumnGuess): string[] {
  if (doubt !== null && !isTimed(type))
    return doubt.answers.map(({ yaml, means }) => `          # ${yaml} # the first is ${means}`);
  return Object.entries({ decimal: form.decimal, group: form.group }).flatMap(([name, mark]) =>
    mark === null
      ? []
      : [
          `          - { property: ${name}, value: ${JSON.stringify(mark)} } ${guess('as the numbers are written')}`,
        ],
  );
}

function dimensionLines({ reason, grain, columns, leftOut, rowsOf }: TableDraft, domain: string): string[] {
  return [
    `    # A dimension: datasets join it by its key. ${guess(reason)}`,
    '      - { property: entity_kind, value: dimension }',
    '      - { property: scope, value: domain }',
    ...(rowsOf === null
      ? []
      : [`      - { property: rows_of, value: ${domain}/${rowsOf} } ${guess('it has these columns')}`]),
    '    properties:',
    ...columns.flatMap(column => {
      const isKey = grain?.includes(column.name) === true;
      const key = isKey ? ['        primaryKey: true', '        primaryKeyPosition: 1'] : [];
      return [
        ...columnLines(column),
        ...key,
        '        customProperties:',
        ...(isKey ? ['          - { property: column_role, value: key }'] : []),
        `          - { property: label, value: ${text(titleOf(column.name))} }`,
        ...indented(markerLines(column)),
        ...markLines(column),
      ];
    }),
    ...leftOutLines(leftOut),
  ];
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
