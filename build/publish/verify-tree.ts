/** `civic verify`: holds a tree against its own manifests and checksums, file by file and format by format. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type {
  DatasetManifest,
  DimensionManifest,
  PublishedFile,
  RowColumn,
  RowsFile,
  SliceFiles,
  TreeManifest,
} from '../format/manifest.ts';
import { isUnlisted, ROOT } from '../format/paths.ts';
import { Database } from '../lake/database.ts';
import type { Reporter } from '../report.ts';
import { digestFile } from '../slice/file-digest.ts';
import { compareFormats } from '../slice/format-comparison.ts';
import { RefusedError, UnableError } from './failure.ts';
import { listTree, parseChecksums, readJson } from './previous-tree.ts';

export interface VerifyResult {
  readonly folder: string;
  readonly release: string;
  readonly files: number;
  readonly slices: number;
}

export interface VerifyOptions {
  readonly jobs: number;
  readonly memory: string;
}

/** A slice or dimension whose formats are compared. */
interface Rows {
  readonly name: string;
  readonly folder: string;
  readonly columns: readonly RowColumn[];
  readonly files: SliceFiles;
}

export async function verifyTree(
  folder: string,
  options: VerifyOptions,
  report: Reporter,
): Promise<VerifyResult> {
  const manifest = await readJson<TreeManifest>(path.join(folder, ROOT.manifest));
  const sums = await readFile(path.join(folder, ROOT.checksums), 'utf8').catch(() => null);
  const expected = parseChecksums(sums ?? '');
  // A manifest that the checksums list and that cannot be read is damage, and told as such.
  if (sums === null || (manifest === null && !expected.has(ROOT.manifest))) {
    throw new UnableError(
      'not-a-tree',
      `${folder} has no ${sums === null ? ROOT.checksums : ROOT.manifest}. Name the root folder of a tree.`,
    );
  }
  const found: Diagnostic[] = [];
  const wrong = (file: string, code: string, message: string) =>
    found.push({ severity: 'error', code, file, message });
  const present = new Set(await listTree(folder));
  for (const name of present) {
    if (!expected.has(name) && name !== ROOT.checksums && !isUnlisted(name)) {
      wrong(
        name,
        'tree-extra-file',
        `The file is not in ${ROOT.checksums}. Remove it, or copy the tree again.`,
      );
    }
  }
  const hashes = verifyHashes(folder, expected, present, wrong, report);
  const rows = manifest === null ? [] : await verifyManifests(folder, manifest, hashes, wrong);
  await compareAll(folder, rows, hashes, options, wrong, report);
  if (manifest === null || found.length > 0) throw new RefusedError(found);
  return {
    folder: path.resolve(folder),
    release: manifest.release,
    files: expected.size + 1,
    slices: rows.length,
  };
}

type Wrong = (file: string, code: string, message: string) => void;

/** Hashes of the files that are as the checksums say. */
function verifyHashes(
  folder: string,
  expected: ReadonlyMap<string, string>,
  present: ReadonlySet<string>,
  wrong: Wrong,
  report: Reporter,
): Map<string, string> {
  const sound = new Map<string, string>();
  let done = 0;
  for (const [name, sha256] of expected) {
    done++;
    if (!present.has(name)) {
      wrong(
        name,
        'tree-missing-file',
        `${ROOT.checksums} lists the file and the folder lacks it. Copy it again.`,
      );
      continue;
    }
    const digest = digestFile(path.join(folder, name));
    if (digest.sha256 === sha256) sound.set(name, sha256);
    else
      wrong(
        name,
        'tree-corrupt-file',
        `The file's sha256 is ${digest.sha256}, not ${sha256} as ${ROOT.checksums} says. Copy it again.`,
      );
    if (done % 100 === 0 || done === expected.size)
      report({ kind: 'progress', stage: 'verify', done, total: expected.size, what: name });
  }
  return sound;
}

/** Every manifest against the checksums; returns the rows that manifests list. */
async function verifyManifests(
  folder: string,
  manifest: TreeManifest,
  hashes: ReadonlyMap<string, string>,
  wrong: Wrong,
): Promise<Rows[]> {
  const rows: Rows[] = [];
  const listed = async (base: string, file: PublishedFile) => {
    const name = path.posix.normalize(path.posix.join(base, file.path));
    const sha256 = hashes.get(name);
    if (sha256 === undefined) {
      if ((await stat(path.join(folder, name)).catch(() => null)) === null) {
        wrong(name, 'tree-missing-file', 'A manifest lists the file and the folder lacks it. Copy it again.');
      }
      return;
    }
    if (sha256 !== file.sha256) {
      wrong(
        name,
        'tree-manifest-mismatch',
        `Its manifest says sha256 ${file.sha256}, ${ROOT.checksums} says ${sha256}. The tree is a mixture of releases; copy it again.`,
      );
    }
  };
  for (const file of manifest.documents) await listed('', file);
  for (const entry of manifest.datasets) {
    await listed('', entry);
    const base = path.posix.dirname(entry.path);
    const dataset = await readJson<DatasetManifest>(path.join(folder, entry.path));
    if (dataset === null) continue;
    for (const slice of dataset.slices) {
      for (const file of Object.values(slice.files).flat()) await listed(base, file);
      const total = slice.rows;
      for (const [format, files] of Object.entries(slice.files)) {
        const count = (files as readonly RowsFile[]).reduce((sum, file) => sum + file.rows, 0);
        if (files.length > 0 && count !== total)
          wrong(
            entry.path,
            'tree-manifest-mismatch',
            `${slice.year}/${slice.detail} has ${total} rows, its ${format} files ${count}.`,
          );
      }
      rows.push({
        name: `${entry.key} ${slice.year} ${slice.detail}`,
        folder: base,
        columns: dataset.columns,
        files: slice.files,
      });
    }
    for (const { file } of dataset.history) await listed(base, file);
    for (const file of dataset.documents) await listed(base, file);
  }
  for (const entry of manifest.dimensions) {
    await listed('', entry);
    const base = path.posix.dirname(entry.path);
    const dimension = await readJson<DimensionManifest>(path.join(folder, entry.path));
    if (dimension === null) continue;
    for (const file of [...Object.values(dimension.files).flat(), ...dimension.documents])
      await listed(base, file);
    rows.push({ name: entry.key, folder: base, columns: dimension.columns, files: dimension.files });
  }
  return rows;
}

async function compareAll(
  folder: string,
  rows: readonly Rows[],
  hashes: ReadonlyMap<string, string>,
  options: VerifyOptions,
  wrong: Wrong,
  report: Reporter,
): Promise<void> {
  const temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  const database = await Database.open({
    threads: options.jobs,
    memoryLimit: options.memory,
    temporaryFolder,
  });
  try {
    const session = await database.connect();
    let done = 0;
    for (const one of rows) {
      done++;
      const parquet = one.files.parquet[0];
      const files = [...one.files.json, ...one.files.csv, ...one.files.parquet].map(
        file => `${one.folder}/${file.path}`,
      );
      if (parquet === undefined || !files.every(file => hashes.has(file))) continue;
      const absolute = (file: PublishedFile) => path.join(folder, one.folder, file.path);
      const difference = await compareFormats(session, {
        columns: one.columns,
        parquet: absolute(parquet),
        csv: one.files.csv.map(absolute),
        json: one.files.json.map(absolute),
      });
      if (difference !== null) {
        wrong(
          `${one.folder}/${parquet.path}`,
          'tree-formats-differ',
          `${one.name}: ${difference}. Build the tree again.`,
        );
      }
      report({ kind: 'progress', stage: 'verify', done, total: rows.length, what: one.name });
    }
  } finally {
    database.close();
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}
