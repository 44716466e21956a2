import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { formatDiagnostic } from '../../../build/contract/diagnostic.ts';
import { runImport } from './import-run.ts';
import type { Importer } from './importer.ts';
import { IMPORTERS } from './importers.ts';
import { renderReport } from './report.ts';

const IMPORTED = 0;
const REFUSED = 1;
const USAGE = 2;

const HELP = `
Names, and the files each reads:
${IMPORTERS.map(({ name, reads }) => `  ${name.padEnd(32)} ${reads}`).join('\n')}

Examples:
  npm run import -- districts districts.csv schools.csv --out data/lake
  npm run import -- schools schools.csv districts.csv Graduation_Rate_2019.csv --out data/lake
  npm run import -- demographics --out data/lake
  npm run import -- attendance Attendance_2023-24.csv Attendance_2022-23.csv --out data/lake
  npm run import -- ccrpi_graduation_rate 2022_rates.csv 2022_cohort.csv --out data/lake

Dimensions come first: an import of facts looks its codes up in them and reports those that they lack.
An import reports the published figures that it changes, withholds or removes. It refuses to lose a figure that no
file withholds.

Exit codes: ${IMPORTED} imported; ${REFUSED} refused, the lake is unchanged; ${USAGE} wrong arguments.`;

interface Arguments {
  readonly out: string;
  readonly year?: number;
  readonly marker: readonly string[];
  readonly report?: string;
  readonly json: boolean;
}

/** Runs the program and returns its exit code. */
async function main(args: readonly string[]): Promise<number> {
  const program = new Command('npm run import --')
    .description('Turns published files into a lake.')
    .argument('<name>', 'topic of the dataset, or dimension')
    .argument('[files...]', 'source files')
    .requiredOption('--out <lake>', 'folder of the lake')
    .option('--year <year>', 'year of rows without one, if the file name does not give it', parseYear)
    .option('--marker <text>', 'another text that marks a withheld figure; may be repeated', addMarker, [])
    .option('--report <file>', 'write every published figure that changes or is removed to this CSV file')
    .option('--json', 'print the report as JSON', false)
    .addHelpText('after', HELP)
    .exitOverride();
  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? IMPORTED : USAGE;
  }
  const [name, ...files] = program.args;
  const importer = IMPORTERS.find(candidate => candidate.name === name);
  const complaint = importer ? filesComplaint(importer, files) : unknownName(name!);
  if (!importer || complaint !== undefined) {
    process.stderr.write(`error: ${complaint}\n`);
    return USAGE;
  }
  const options = program.opts<Arguments>();
  const result = await runImport(importer, files, {
    lake: options.out,
    year: options.year,
    markers: options.marker,
    report: options.report,
  });
  if (options.json) process.stdout.write(`${JSON.stringify(result.ok ? result.report : result, null, 2)}\n`);
  else if (result.ok) process.stdout.write(renderReport(result.report));
  else {
    const lines = result.problems.map(problem => `${formatDiagnostic(problem)}\n`);
    process.stderr.write(`${lines.join('')}Nothing was written.\n`);
  }
  return result.ok ? IMPORTED : REFUSED;
}

function filesComplaint(importer: Importer, files: readonly string[]): string | undefined {
  if (importer.rows !== undefined) return files.length > 0 ? `${importer.name} reads no file` : undefined;
  return files.length === 0 ? `name the files to read: ${importer.reads}` : undefined;
}

function unknownName(name: string): string {
  return `there is no importer "${name}"; there are ${IMPORTERS.map(importer => importer.name).join(', ')}`;
}

/** Each --marker takes one text: an option that takes several would also take the files that follow it. */
function addMarker(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function parseYear(text: string): number {
  if (!/^(19|20)\d{2}$/.test(text)) throw new InvalidArgumentError('Expected four digits.');
  return Number(text);
}

process.exitCode = await main(process.argv.slice(2));
