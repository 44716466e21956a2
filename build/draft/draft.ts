/** `civic init`: looks at a publisher's files, and writes contracts and a lake that a build accepts. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { constants, copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { isMemoryShortage, type Session, withinMemory, withSession } from '../lake/database.ts';
import { listFiles } from '../lake/lake-files.ts';
import { isBoundaries, tableFormat, tableStem } from '../lake/lake-layout.ts';
import { findDamagedFiles } from '../lake/parquet-shape.ts';
import { reasonOf } from '../system-error.ts';
import { withTemporaryFolder } from '../tree/workspace.ts';
import { explainAbsences } from './absences.ts';
import { readYearColumns } from './column-guess.ts';
import { contractText, publisherText } from './contract-draft.ts';
import { type DraftFile, type DraftTable, freeName, openDraftTables, plainName } from './draft-table.ts';
import {
  draftTable,
  drawPlaces,
  linkBoundaries,
  linkTables,
  type OpenDraft,
  type TableDraft,
} from './table-draft.ts';
import { joinYears, yearOfFile } from './year-files.ts';

interface DraftOptions {
  /** Files and folders; none for an example. */
  readonly inputs: readonly string[];
  /** Contains, or will contain, `contracts/` and `data/`. */
  readonly folder: string;
  readonly domain: string;
  readonly memory: string;
  readonly jobs: number;
}

export interface DraftResult {
  readonly tables: readonly DraftedTable[];
  /** Relative to the folder. */
  readonly written: readonly string[];
  /** Existing files, which aren't changed. */
  readonly kept: readonly string[];
}

export interface DraftedTable extends Omit<TableDraft, 'file' | 'boundaries'> {
  readonly file: string;
  readonly contract: string;
  /** Null if the rows are another table's. */
  readonly data: string | null;
}

const CONTRACTS = 'contracts';
const DATA = 'data';

/** Overwrites nothing, and writes nothing if a file can't be read. Throws RefusedError and UnableError. */
export async function draft(options: DraftOptions): Promise<DraftResult> {
  const { folder, domain } = options;
  if (plainName(domain) !== domain)
    throw new UnableError(
      'draft-domain',
      `${JSON.stringify(domain)} cannot be a domain. Use lower-case letters, digits and _.`,
    );
  if (options.inputs.length === 0) {
    return { tables: [], ...(await writeFiles(folder, EXAMPLE)) };
  }
  const found = findFiles(options.inputs);
  return withTemporaryFolder(async temporaryFolder => {
    const files = found.filter(({ name }) => !isBoundaries(name));
    const boundaries = found.filter(({ name }) => isBoundaries(name));
    const limits = { threads: options.jobs, memoryLimit: options.memory, temporaryFolder };
    return await withSession(limits, async session => {
      const drafts = await draftTables(session, files, boundaries).catch(async error => {
        const isExplained = error instanceof RefusedError || error instanceof UnableError;
        if (isExplained || isMemoryShortage(error)) throw error;
        const named = files.map(file => ({ ...file, path: file.name }));
        const damaged = await findDamagedFiles(session, named);
        throw damaged.length > 0 ? new RefusedError(damaged) : error;
      });
      const placed = drafts.map(one => place(one, options));
      const { written, kept } = await writeFiles(folder, [
        { name: `${CONTRACTS}/publisher.yaml`, optional: true, text: publisherText() },
        ...placed.map(one => ({ name: one.contract, text: contractText(one.draft, domain) })),
        ...placed.flatMap(({ draft: { rowsOf }, files }) => (rowsOf === null ? files : [])),
        ...placed.flatMap(({ draft: { boundaries: shapes }, data }) => {
          if (shapes === null) return [];
          const name = `${tableStem(data)}${path.extname(shapes.name).toLowerCase()}`;
          const isThere = path.resolve(folder, name) === shapes.absolute;
          return [{ name, optional: isThere, from: shapes.absolute }];
        }),
      ]);
      const tables = placed.map(({ draft: one, contract, data }): DraftedTable => {
        const { file, boundaries: _boundaries, ...rest } = one;
        return { ...rest, file: file.name, contract, data: one.rowsOf === null ? data : null };
      });
      return { tables, written, kept };
    });
  });
}

/** Named files, and visible tables below named folders. */
function findFiles(inputs: readonly string[]): DraftFile[] {
  const found = new Map<string, string>();
  for (const input of inputs) {
    let isFolder: boolean;
    try {
      isFolder = statSync(input).isDirectory();
    } catch (error) {
      throw new UnableError(
        'draft-input',
        `${input} cannot be read: ${reasonOf(error)}. Name files or folders.`,
      );
    }
    const names = isFolder
      ? listFiles(input)
          .filter(name => !name.split('/').some(part => /^[._]/.test(part)))
          .filter(name => tableFormat(name) !== null || isBoundaries(name))
          .map(name => path.join(input, name))
      : [input];
    if (names.length === 0)
      throw new UnableError(
        'draft-input',
        `${input} holds no CSV, TSV, JSON lines, Parquet, XLSX or XLS file. Name another folder.`,
      );
    for (const name of names) {
      if (!statSync(name).isFile())
        throw new UnableError('draft-input', `${name} isn't a regular file. Name files or folders.`);
      found.set(realpathSync(name), name);
    }
  }
  return [...found].map(([absolute, name]) => ({ name, absolute, bytes: statSync(absolute).size }));
}

async function draftTables(
  session: Session,
  files: readonly DraftFile[],
  boundaries: readonly DraftFile[],
): Promise<readonly TableDraft[]> {
  const found: DraftTable[] = [];
  const problems: Diagnostic[] = [];
  for (const file of files) {
    const index = found.length + problems.length;
    const opened = await withinMemory(file.name, () => openDraftTables(session, file, index));
    if ('severity' in opened) problems.push(opened);
    else found.push(...opened);
  }
  if (problems.length > 0) throw new RefusedError(problems);
  const tables: DraftTable[] = [];
  for (const one of await joinYears(session, found)) tables.push(await readYearColumns(session, one));
  const names = new Set<string>();
  const drafts: TableDraft[] = [];
  for (const table of tables) {
    const { absolute, years } = table.file;
    const ofYears = yearOfFile(table.file)?.table || path.dirname(absolute);
    const named = years === undefined ? table.file.name : ofYears;
    const stem = path.basename(named).replace(/\.[^.]+$/, '');
    const isOne = tables.filter(({ file }) => file.absolute === table.file.absolute).length === 1;
    const sheet = isOne ? '' : ` ${table.file.sheet ?? ''}`;
    const name = freeName(plainName(`${stem}${sheet}`), names);
    names.add(name);
    drafts.push(await withinMemory(table.file.name, () => draftTable(session, table, name)));
  }
  const linked = await linkTables(session, drafts, tables);
  const open: OpenDraft[] = [];
  for (const [i, one] of linked.entries()) {
    const table = tables[i];
    if (table === undefined) continue;
    for (const drawn of await drawPlaces(session, one, table, names)) open.push({ draft: drawn, table });
  }
  const placed = await linkBoundaries(session, boundaries, open, names);
  if (placed.problems.length > 0) throw new RefusedError(placed.problems);
  return explainAbsences(session, placed.drafts);
}

interface PlacedDraft {
  readonly draft: TableDraft;
  readonly contract: string;
  /** The file of the rows, or the folder of a file for each year. */
  readonly data: string;
  readonly files: readonly NewFile[];
}

function endingOf(file: string): string {
  return file.slice(tableStem(file).length).toLowerCase();
}

function place(draft: TableDraft, { folder, domain }: DraftOptions): PlacedDraft {
  const inside = draft.kind === 'dimension' ? `${domain}/_dimensions` : domain;
  const start = `${DATA}/${inside}/${draft.name}`;
  const { absolute, years } = draft.file;
  const data = years === undefined ? `${start}${endingOf(absolute)}` : start;
  const files = (years ?? [draft.file]).map((file): NewFile => {
    const { absolute: from } = file;
    const name = years === undefined ? data : `${data}/${yearOfFile(file)?.year}${endingOf(from)}`;
    const target = path.resolve(folder, name);
    // The rows may already be in their place.
    return { name, optional: existsSync(target) && realpathSync(target) === from, from };
  });
  return { draft, contract: `${CONTRACTS}/${inside}/${draft.name}.odcs.yaml`, data, files };
}

/** `text`, or a copy of the file `from`. */
type NewFile = {
  readonly name: string;
  /** If the file exists, it is kept; otherwise an existing file is an error. */
  readonly optional?: boolean;
} & ({ readonly text: string; readonly from?: undefined } | { readonly from: string });

/** Writes nothing if a file exists that isn't optional. */
async function writeFiles(
  folder: string,
  files: readonly NewFile[],
): Promise<Pick<DraftResult, 'written' | 'kept'>> {
  const isThere = ({ name }: NewFile) => existsSync(path.join(folder, name));
  const taken = files.filter(file => file.optional !== true && isThere(file));
  if (taken.length > 0) {
    const [is, them] = taken.length === 1 ? ['is', 'it'] : ['are', 'them'];
    throw new UnableError(
      'draft-exists',
      `${taken.map(file => file.name).join(', ')} ${is} there, and init overwrites nothing. Move or remove ${them}, or name another domain with --domain.`,
    );
  }
  const kept = files.filter(isThere);
  const written = files.filter(file => !kept.includes(file));
  for (const file of written) {
    const target = path.join(folder, file.name);
    await mkdir(path.dirname(target), { recursive: true });
    if (file.from === undefined) await writeFile(target, file.text, { flag: 'wx' });
    else await copyFile(file.from, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  return { written: written.map(({ name }) => name), kept: kept.map(({ name }) => name) };
}

const CONTRACT = `# An example: the file data/_sample.json says that its rows are invented. Put your own in the place of both, or
# remove all three and run: npx civic-data-service init FILE.csv
apiVersion: v3.1.0
kind: DataContract
id: example.rain # the domain and the topic: the API serves /api/v1/example/rain
version: 1.0.0 # raise it when a promise to readers changes
status: active
domain: example
schema:
  - name: rain # its rows are in data/example/rain.csv
    customProperties:
      - { property: grain, value: [date, station] } # the columns that identify a row
    properties:
      - name: date
        logicalType: date # or timestamp, integer, number, string, boolean
        required: true
        customProperties: [{ property: column_role, value: time }] # says when
      - { name: station, logicalType: string, required: true } # a text is a category
      - name: rain_mm # a number is a measure
        logicalType: number
        customProperties: [{ property: unit, value: mm }]
`;

const STATIONS = ['001', '002', '003'];
const DAYS = 30;

function rows(): string {
  const lines = Array.from({ length: DAYS }, (_, day) =>
    STATIONS.map((station, i) => {
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
      return `${date},${station},${((day * 7 + i * 5) % 23) / 2}`;
    }),
  );
  return `date,station,rain_mm\n${lines.flat().join('\n')}\n`;
}

const EXAMPLE: readonly NewFile[] = [
  { name: 'contracts/publisher.yaml', text: publisherText() },
  { name: 'contracts/example/rain.odcs.yaml', text: CONTRACT },
  { name: 'data/example/rain.csv', text: rows() },
  { name: 'data/_sample.json', text: '{ "sample": true, "notice": "Invented rows of an example." }\n' },
];
