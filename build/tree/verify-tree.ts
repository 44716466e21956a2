/**
 * `civic verify`: checks the files of a tree against its manifests and checksums, and its formats against
 * each other.
 */
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import { type DimensionEnvelope, type FactEnvelope, NO_TEXTS, ofTextFormats } from '../format/documents.ts';
import { pageHead } from '../format/envelope.ts';
import type { ParquetFile, PublishedFile, RowColumn, RowsFile, SliceFiles } from '../format/manifest.ts';
import { yearSegment } from '../format/paths.ts';
import { type Session, withinMemory, withSession } from '../lake/database.ts';
import type { Reporter } from '../report.ts';
import { digestFile } from '../slice/file-digest.ts';
import { type CopyFiles, compareCopy, compareFormats, type PageFile } from '../slice/format-comparison.ts';
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

/** A slice or dimension whose formats must agree, or a copy that must agree with its slices. */
interface Rows {
  readonly name: string;
  readonly folder: string;
  readonly columns: readonly RowColumn[];
  readonly files: SliceFiles;
  /** JSON pages, with paths in the tree. */
  readonly pages: readonly PageFile[];
  /** The slices of a copy; null for a slice or dimension. */
  readonly copy: CopiedSlices | null;
}

interface CopiedSlices extends Pick<CopyFiles, 'entry' | 'order'> {
  /** The Parquet files of the slices. */
  readonly slices: readonly ParquetFile[];
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
  await compareAll(folder, rows, sound, options, wrong, report);
  const { manifest } = lists;
  const { log, compared } = await judgeLog(folder, options, found);
  if (manifest === null || found.length > 0) throw new RefusedError(found);
  return {
    log,
    against: compared,
    folder: path.resolve(folder),
    release: manifest.release,
    files: lists.expected.size + 1,
    slices: rows.filter(one => one.copy === null).length,
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
function verifyCounts({ manifest, datasets, dimensions }: TreeLists, wrong: ReportFault): Rows[] {
  const rows: Rows[] = [];
  for (const entry of manifest?.datasets ?? []) {
    const dataset = datasets.get(entry.key);
    if (dataset === undefined) continue;
    const folder = path.posix.dirname(entry.path);
    const { columns } = dataset;
    for (const { year, detail, rows: total, release, files } of dataset.slices) {
      for (const [format, list] of Object.entries(files)) {
        const count = (list as readonly RowsFile[]).reduce((sum, file) => sum + file.rows, 0);
        if (list.length > 0 && count !== total) {
          const message = `${year}/${detail} has ${total} rows, but its ${format} files have ${count}.`;
          wrong(entry.path, 'tree-manifest-mismatch', message);
        }
      }
      const pages = pagesOf(folder, files, `${yearSegment(year)}/${detail}`, total, page =>
        sliceEnvelope(dataset, { year, detail }, release, page),
      );
      rows.push({ name: `${entry.key} ${year} ${detail}`, folder, columns, files, pages, copy: null });
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
      rows.push({
        name: `${entry.key} ${detail} by ${by.join(' and ')}`,
        folder,
        columns,
        files: { ...NO_TEXTS, parquet: [file] },
        pages: [],
        copy: { entry: copy, order: dataset.order, slices: slices.flatMap(slice => slice.files.parquet) },
      });
    }
  }
  for (const entry of manifest?.dimensions ?? []) {
    const dimension = dimensions.get(entry.key);
    if (dimension === undefined) continue;
    const folder = path.posix.dirname(entry.path);
    const { columns, files, release } = dimension;
    const pages = pagesOf(folder, files, 'rows', dimension.rows, page =>
      dimensionEnvelope(dimension, release, page),
    );
    rows.push({ name: entry.key, folder, columns, files, pages, copy: null });
  }
  return rows;
}

/** The head and the number of rows that each JSON page of a slice or dimension must have. */
function pagesOf(
  folder: string,
  { json }: SliceFiles,
  base: string,
  rows: number,
  envelope: (page: Page) => FactEnvelope | DimensionEnvelope,
): PageFile[] {
  return json.map((file, i) => {
    const page = slicePage(base, rows, i);
    return { file: `${folder}/${file.path}`, head: pageHead(envelope(page)), rows: page.count };
  });
}

async function compareAll(
  folder: string,
  rows: readonly Rows[],
  sound: ReadonlySet<string>,
  options: VerifyOptions,
  wrong: ReportFault,
  report: Reporter,
): Promise<void> {
  const { jobs: threads, memory: memoryLimit } = options;
  const compare = async (session: Session): Promise<void> => {
    let done = 0;
    for (const one of rows) {
      done++;
      const parquet = one.files.parquet[0];
      const files = [...Object.values(one.files).flat(), ...(one.copy?.slices ?? [])].map(
        file => `${one.folder}/${file.path}`,
      );
      if (parquet === undefined || !files.every(file => sound.has(file))) continue;
      const absolute = (file: PublishedFile) => path.join(folder, one.folder, file.path);
      const { columns, pages, copy } = one;
      const difference = await withinMemory(one.name, () =>
        copy
          ? compareCopy(session, {
              ...copy,
              columns,
              file: absolute(parquet),
              slices: copy.slices.map(absolute),
            })
          : compareFormats(session, {
              columns,
              parquet: absolute(parquet),
              ...ofTextFormats(format => one.files[format].map(absolute)),
              json: pages.map(page => ({ ...page, file: path.join(folder, page.file) })),
            }),
      );
      if (difference !== null) {
        wrong(
          `${one.folder}/${parquet.path}`,
          copy ? 'tree-copy-differs' : 'tree-formats-differ',
          `${one.name}: ${difference}. Build the tree again.`,
        );
      }
      report({ kind: 'progress', stage: 'compare', done, total: rows.length, what: one.name });
    }
  };
  await withTemporaryFolder(temporaryFolder =>
    withSession({ threads, memoryLimit, temporaryFolder }, compare),
  );
}
