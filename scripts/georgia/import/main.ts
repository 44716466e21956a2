import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { integer } from '../../../build/cli/arguments.ts';
import { type Diagnostic, formatDiagnostic } from '../../../build/contract/diagnostic.ts';
import { EXIT, RefusedError } from '../../../build/failure.ts';
import { runImport } from './import-run.ts';
import type { Importer } from './importer.ts';
import { IMPORTERS } from './importers.ts';
import { recogniseFile } from './recognition.ts';
import { renderReport } from './report.ts';
import { plainHeader, type Renamed } from './source-text.ts';

const HELP = `
Names, and the files each reads:
${IMPORTERS.map(({ name, reads }) => `  ${name.padEnd(32)} ${reads}`).join('\n')}

Examples:
  npm run import -- downloads/*.csv downloads/*.xlsx --out data/lake
  npm run import -- districts districts.csv schools.csv --out data/lake
  npm run import -- schools schools.csv districts.csv Graduation_Rate_2019.csv --out data/lake
  npm run import -- demographics --out data/lake
  npm run import -- attendance Attendance_2023-24.csv Attendance_2022-23.csv --out data/lake
  npm run import -- ccrpi_graduation_rate 2022_rates.csv 2022_cohort.csv --out data/lake

Without a name, a file's headers and what it says about itself choose its dataset. A file that says that it is about
something else is refused, even under a name. Lists of places come first; districts and schools that they lack are added
with the names in the files.
An import reports the figures of the lake that it changes, withholds or removes. It refuses to turn a figure into NULL if
no file withholds it. A file that can't be read is left out and named; the others are imported, and the lake keeps its
rows of the years of that file.

Exit codes: ${EXIT.done} all imported; ${EXIT.refused} a file was left out or had nothing to write, or a dataset was refused and its
lake unchanged; ${EXIT.usage} wrong arguments.`;

interface Arguments {
  readonly out: string;
  readonly year?: number;
  readonly marker: readonly string[];
  readonly columns: Renamed;
  readonly replace: boolean;
  readonly report?: string;
  readonly json: boolean;
}

async function main(args: readonly string[]): Promise<number> {
  const program = new Command('npm run import --')
    .description('Turns published files into a lake.')
    .argument('[name]', 'topic of the dataset, or dimension; by default the headers of the files choose it')
    .argument('[files...]', 'source files')
    .requiredOption('--out <lake>', 'folder of the lake')
    .option(
      '--year <year>',
      'year of rows without one; by default that of the file name or title',
      integer(1900, 2099),
    )
    .option('--marker <text>', 'another text that marks a withheld figure; may be repeated', addMarker, [])
    .option('--columns <old=new>', 'reads the column old as new; may be repeated', addColumn, new Map())
    .option(
      '--replace',
      'replaces the list of a dimension; by default an import adds to it and corrects it',
      false,
    )
    .option(
      '--report <file>',
      'writes every changed or removed figure and every dropped row to this CSV file',
    )
    .option('--json', 'print the report as JSON', false)
    .addHelpText('after', HELP)
    .exitOverride();
  try {
    program.parse([...args], { from: 'user' });
    return await runImports(program.opts<Arguments>(), await planImports(program));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}

/** Returns the exit code. */
async function runImports(options: Arguments, { imports, unknown }: Imports): Promise<number> {
  const say = (problems: readonly Diagnostic[], end = '') => {
    if (!options.json)
      process.stderr.write(`${problems.map(one => `${formatDiagnostic(one)}\n`).join('')}${end}`);
  };
  say(unknown);
  const results: unknown[] = unknown.length > 0 ? [{ ok: false, problems: unknown }] : [];
  let refused = unknown.length > 0;
  const reporting = imports.filter(({ files }) => files.length > 0).length;
  for (const [index, { importer, files }] of imports.entries()) {
    if (!options.json && index > 0) process.stdout.write('\n');
    try {
      const report = await runImport(importer, files, {
        lake: options.out,
        year: options.year,
        markers: options.marker,
        renamed: options.columns,
        replace: options.replace,
        addPlaces: true,
        report:
          options.report === undefined || (files.length === 0 && reporting > 0)
            ? undefined
            : reportPath(options.report, importer, reporting),
      });
      results.push(report);
      refused ||= report.leftOut.length > 0;
      if (!options.json) process.stdout.write(renderReport(report));
      say(report.leftOut);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      results.push({ ok: false, problems: error.diagnostics });
      refused = true;
      const what = imports.length > 1 ? `Nothing of ${importer.name} was written.` : 'Nothing was written.';
      say(error.diagnostics, `${what}\n`);
    }
  }
  if (options.json)
    process.stdout.write(`${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`);
  return refused ? EXIT.refused : EXIT.done;
}

interface Imports {
  readonly imports: readonly { readonly importer: Importer; readonly files: readonly string[] }[];
  /** Problems with files that feed nothing. */
  readonly unknown: readonly Diagnostic[];
}

/** The arguments are a name and its files, or only files, whose headers choose the datasets. */
async function planImports(program: Command): Promise<Imports> {
  const [first, ...rest] = program.args;
  if (IMPORTERS.length === 0) program.error('error: run the command in the folder that has contracts/');
  if (first === undefined) program.error('error: name the files to read');
  const importer = IMPORTERS.find(({ name }) => name === first);
  if (importer) {
    if (importer.rows !== undefined && rest.length > 0)
      program.error(`error: ${importer.name} reads no file`);
    if (importer.rows === undefined && rest.length === 0)
      program.error(`error: name the files to read: ${importer.reads}`);
    return { imports: [{ importer, files: rest }], unknown: [] };
  }
  if (!existsSync(first)) {
    const names = IMPORTERS.map(({ name }) => name).join(', ');
    program.error(`error: there is no importer and no file "${first}"; the importers are ${names}`);
  }
  const { columns } = program.opts<Arguments>();
  const unknown: Diagnostic[] = [];
  const fed = new Map<Importer, string[]>();
  for (const file of [first, ...rest]) {
    const found = await recogniseFile(file, IMPORTERS, columns);
    if ('problem' in found)
      unknown.push({ severity: 'error', code: 'source-unreadable', file, message: found.problem });
    else for (const one of found.importers) fed.set(one, [...(fed.get(one) ?? []), file]);
  }
  const usesGroups = [...fed.keys()].some(({ target }) => 'demographic' in target.columns);
  const imports = IMPORTERS.flatMap(one => {
    const files = fed.get(one);
    if (files) return [{ importer: one, files }];
    return one.rows !== undefined && usesGroups ? [{ importer: one, files: [] }] : [];
  });
  return { imports, unknown };
}

/** Each of several imports has its own report: `changes.csv` becomes `changes-attendance.csv`. */
function reportPath(path: string, { name }: Importer, imports: number): string {
  if (imports < 2) return path;
  const end = extname(path);
  return `${path.slice(0, path.length - end.length)}-${name}${end}`;
}

/** Each --marker takes one text: an option that takes several would also take the files that follow it. */
function addMarker(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function addColumn(text: string, before: Renamed): Renamed {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('Expected old=new.');
  return new Map([...before, [plainHeader(text.slice(0, at)), text.slice(at + 1)]]);
}

process.exitCode = await main(process.argv.slice(2));
