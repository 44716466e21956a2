/**
 * `civic verify`: checks the files of a tree against its manifests and checksums, and its formats against
 * each other.
 */
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import { type DimensionEnvelope, type FactEnvelope, ofTextFormats } from '../format/documents.ts';
import { pageHead } from '../format/envelope.ts';
import type { RowColumn, RowsFile, SliceFiles } from '../format/manifest.ts';
import { yearSegment } from '../format/paths.ts';
import { type Session, withinMemory, withSession } from '../lake/database.ts';
import type { Reporter } from '../report.ts';
import { digestFile } from '../slice/file-digest.ts';
import { compareCopy, compareFormats, type PageFile } from '../slice/format-comparison.ts';
import { dimensionEnvelope, type Page, sliceEnvelope, slicePage } from '../slice/rows-writer.ts';
import {
  blocksText,
  collectFaults,
  compareLooks,
  damagedBlocks,
  judgeHash,
  type ReportFault,
  readTreeLists,
  type TreeLists,
} from './tree-lists.ts';
import {
  compareLogs,
  type LogComparison,
  type LogSummary,
  type LogTrust,
  NO_TRUST,
  verifyLog,
} from './tree-log.ts';
import { folderSource, type TreeSource } from './tree-source.ts';
import { withTemporaryFolder } from './workspace.ts';

export interface VerifyResult {
  readonly folder: string;
  readonly release: string;
  readonly files: number;
  readonly slices: number;
  /** Null for a tree without a log. */
  readonly log: LogSummary | null;
  /** How the two copies' logs differ; null without another copy. */
  readonly against: LogComparison | null;
}

export interface VerifyOptions {
  readonly jobs: number;
  readonly memory: string;
  /**
   * Signatures that the log of releases must have; without them only the log's own consistency is checked.
   */
  readonly trust?: LogTrust | undefined;
  /** Another copy, whose log must agree. */
  readonly against?: TreeSource | null;
  /** Whether the folder should have the tree's times and no links, as after a build. */
  readonly asBuilt?: boolean;
}

/** Files that must have the same rows: the formats of a slice or dimension, or a copy and its slices. */
interface Comparison {
  readonly fault: 'tree-formats-differ' | 'tree-copy-differs';
  readonly name: string;
  /** Paths in the tree. A difference is reported for the first. */
  readonly files: readonly string[];
  /** Null if the rows agree. */
  readonly compare: (session: Session) => Promise<string | null>;
}

export async function verifyTree(
  folder: string,
  options: VerifyOptions,
  report: Reporter,
): Promise<VerifyResult> {
  const { found, wrong } = collectFaults();
  const lists = await readTreeLists(folder, wrong);
  const sound = verifyHashes(lists, wrong, report);
  const looks = options.asBuilt === true ? compareLooks(lists, wrong) : [];
  if (looks.length > 0) report({ kind: 'warnings', diagnostics: looks });
  const rows = verifyCounts(lists, wrong);
  await compareAll(rows, sound, options, wrong, report);
  const { manifest } = lists;
  const { log, compared } = await judgeLog(folder, options, found);
  if (manifest === null || found.length > 0) throw new RefusedError(found);
  return {
    log,
    against: compared,
    folder: path.resolve(folder),
    release: manifest.release,
    files: lists.expected.size + 1,
    slices: rows.filter(one => one.fault === 'tree-formats-differ').length,
  };
}

/** Adds faults of the log of releases, and of the other copy's log. */
async function judgeLog(
  folder: string,
  { trust = NO_TRUST, against = null }: VerifyOptions,
  found: Diagnostic[],
): Promise<{ readonly log: LogSummary | null; readonly compared: LogComparison | null }> {
  const own = folderSource(folder);
  const collect = (error: unknown): null => {
    if (!(error instanceof RefusedError)) throw error;
    found.push(...error.diagnostics);
    return null;
  };
  const log = await verifyLog(own, trust).catch(collect);
  const compared = against && (await compareLogs(own, against, trust).catch(collect));
  return { log, compared };
}

/** Returns the files that agree with every list. */
function verifyHashes(lists: TreeLists, wrong: ReportFault, report: Reporter): Set<string> {
  const { folder, expected, present } = lists;
  const sound = new Set<string>();
  let done = 0;
  for (const name of expected.keys()) {
    done++;
    const file = path.join(folder, name);
    const known = lists.files.get(name);
    const where = () => (known ? blocksText(damagedBlocks(file, known), known.bytes) : '');
    if (present.has(name) && judgeHash(lists, name, digestFile(file).sha256, wrong, where)) sound.add(name);
    if (done % 100 === 0 || done === expected.size)
      report({ kind: 'progress', stage: 'verify', done, total: expected.size, what: name });
  }
  return sound;
}

/** Checks that the counts of each manifest agree. Returns the rows that manifests list. */
function verifyCounts(
  { folder: root, manifest, datasets, dimensions }: TreeLists,
  wrong: ReportFault,
): Comparison[] {
  const found: Comparison[] = [];
  for (const entry of manifest?.datasets ?? []) {
    const dataset = datasets.get(entry.key);
    if (dataset === undefined) continue;
    const { columns, order } = dataset;
    const folder = path.posix.dirname(entry.path);
    for (const { year, detail, rows, release, files } of dataset.slices) {
      for (const [format, list] of Object.entries(files)) {
        const count = (list as readonly RowsFile[]).reduce((sum, file) => sum + file.rows, 0);
        if (list.length > 0 && count !== rows) {
          const message = `${year}/${detail} has ${rows} rows, but its ${format} files have ${count}.`;
          wrong(entry.path, 'tree-manifest-mismatch', message);
        }
      }
      const pages = pagesOf(files, `${yearSegment(year)}/${detail}`, rows, page =>
        sliceEnvelope(dataset, { year, detail }, release, page),
      );
      found.push(formatsOf(root, folder, `${entry.key} ${year} ${detail}`, columns, files, pages));
    }
    for (const copy of dataset.copies) {
      const { detail, by, years, file, counted } = copy;
      const ofLevel = dataset.slices.filter(slice => slice.detail === detail);
      const slices = counted ? ofLevel.filter(slice => years.includes(slice.year)) : ofLevel;
      if (String(slices.map(slice => slice.year)) !== String(years)) {
        const message = `${file.path} has the years ${years.join(', ')}, but the slices of ${detail} have others.`;
        wrong(entry.path, 'tree-manifest-mismatch', message);
        continue;
      }
      const files = [file, ...slices.flatMap(slice => slice.files.parquet)].map(
        one => `${folder}/${one.path}`,
      );
      const [own = '', ...others] = files.map(name => path.join(root, name));
      found.push({
        fault: 'tree-copy-differs',
        name: `${entry.key} ${detail} by ${by.join(' and ')}`,
        files,
        compare: session => compareCopy(session, { entry: copy, columns, order, file: own, slices: others }),
      });
    }
  }
  for (const entry of manifest?.dimensions ?? []) {
    const dimension = dimensions.get(entry.key);
    if (dimension === undefined) continue;
    const { columns, files, rows, release } = dimension;
    const pages = pagesOf(files, 'rows', rows, page => dimensionEnvelope(dimension, release, page));
    found.push(formatsOf(root, path.posix.dirname(entry.path), entry.key, columns, files, pages));
  }
  return found;
}

/** The head and the number of rows that each JSON page of a slice or dimension must have. */
function pagesOf(
  { json }: SliceFiles,
  base: string,
  rows: number,
  envelope: (page: Page) => FactEnvelope | DimensionEnvelope,
): PageFile[] {
  return json.map((file, i) => {
    const page = slicePage(base, rows, i);
    return { file: file.path, head: pageHead(envelope(page)), rows: page.count };
  });
}

function formatsOf(
  root: string,
  folder: string,
  name: string,
  columns: readonly RowColumn[],
  { parquet, ...texts }: SliceFiles,
  pages: readonly PageFile[],
): Comparison {
  const absolute = (file: string) => path.join(root, folder, file);
  const [rows] = parquet.map(file => absolute(file.path));
  return {
    fault: 'tree-formats-differ',
    name,
    files: [...parquet, ...Object.values(texts).flat()].map(file => `${folder}/${file.path}`),
    compare: async session =>
      rows === undefined
        ? null
        : compareFormats(session, {
            columns,
            parquet: rows,
            ...ofTextFormats(format => texts[format].map(file => absolute(file.path))),
            json: pages.map(page => ({ ...page, file: absolute(page.file) })),
          }),
  };
}

async function compareAll(
  comparisons: readonly Comparison[],
  sound: ReadonlySet<string>,
  options: VerifyOptions,
  wrong: ReportFault,
  report: Reporter,
): Promise<void> {
  const { jobs: threads, memory: memoryLimit } = options;
  const compare = async (session: Session): Promise<void> => {
    for (const [i, { name, files, fault, compare }] of comparisons.entries()) {
      const [first = ''] = files;
      if (!files.every(file => sound.has(file))) continue;
      const difference = await withinMemory(name, () => compare(session));
      if (difference !== null) wrong(first, fault, `${name}: ${difference}. Build the tree again.`);
      report({ kind: 'progress', stage: 'compare', done: i + 1, total: comparisons.length, what: name });
    }
  };
  await withTemporaryFolder(temporaryFolder =>
    withSession({ threads, memoryLimit, temporaryFolder }, compare),
  );
}
