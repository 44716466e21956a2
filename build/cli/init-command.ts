/** `civic init`: drafts contracts and a lake from a publisher's files. */
import { Option } from 'commander';
import type { DraftedTable, DraftResult } from '../draft/draft.ts';
import { openReadings } from '../lake/text-values.ts';
import { JSON_RESULT, LIMITS, type LimitArguments } from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';

export const INIT = defineCommand<LimitArguments & { domain: string; folder: string }>({
  name: 'init',
  description: 'draft contracts from files of rows, and lay out a folder that civic build takes',
  operands: [
    ['[files...]', 'CSV, TSV, JSON lines, Parquet, XLSX or XLS, or folders of them; none writes an example'],
  ],
  options: [
    new Option('--domain <name>', 'domain of the new datasets').default('data'),
    new Option('--folder <dir>', 'folder in which to write contracts/ and data/').default('.'),
    ...LIMITS,
    JSON_RESULT,
  ],
  help: examples('init air.csv stations.parquet'),
  consequence: 'Nothing was written.',
  act: async (options, terminal, { args: inputs }) => {
    const { draft } = await import('../draft/draft.ts');
    const drafted = await draft({ ...options, inputs });
    terminal.say(draftLines(drafted), drafted, []);
  },
});

function draftLines({ tables, written, kept }: DraftResult): string[] {
  return [
    ...tables.flatMap(tableLines),
    ...written.map(name => `wrote ${name}`),
    ...kept.map(name => `kept ${name}, which already existed`),
    tables.length === 0
      ? 'This is an example with invented rows. See it: npx civic-data-service dev'
      : 'Each guess has a comment in the contracts: confirm or correct it. See the result: npx civic-data-service dev',
  ];
}

function tableLines(table: DraftedTable): string[] {
  const what = table.kind === 'dimension' ? 'the dimension' : 'the dataset';
  const why = table.reason === '' ? '' : ` (${table.reason})`;
  const width = Math.max(...table.columns.map(({ name }) => name.length), 4);
  const joins = new Map(table.joins.map(join => [join.column, join]));
  return [
    `${table.file}: ${table.rows.toLocaleString('en')} row${table.rows === 1 ? '' : 's'}, drafted as ${what} ${table.name}${why}`,
    ...table.columns.map(column => {
      const join = joins.get(column.name);
      const role =
        table.kind === 'dimension'
          ? table.grain?.includes(column.name)
            ? 'key'
            : 'attribute'
          : join === undefined
            ? column.role
            : `joins ${join.target}`;
      const reasons = [
        column.typeReason,
        table.kind === 'dimension' ? '' : (join?.reason ?? column.roleReason),
      ];
      const unit = column.unit === null ? '' : ` in ${column.unit}`;
      return `  ${column.name.padEnd(width)}  ${column.type} ${role}${unit}: ${reasons.filter(reason => reason !== '').join('; ')}`;
    }),
    table.grain === null
      ? `  ${table.grainReason}`
      : `  a row is identified by ${table.grain.join(', ')}: ${table.grainReason}`,
    ...table.columns.flatMap(({ name, reading: { doubt } }) => {
      if (doubt === null) return [];
      const cells = doubt.cells.map(({ text }) => JSON.stringify(text)).join(', ');
      return `  question: ${name} ${openReadings(doubt)} (${cells}), so a build refuses it. ${table.contract} has the lines that answer it.`;
    }),
    ...table.notes.map(note => `  note: ${note}`),
    ...table.questions.map(question => `  question: ${question}`),
  ];
}
