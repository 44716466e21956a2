/**
 * Keeps the files of a dataset or dimension that a release replaced, and writes changes.json, its feed and
 * its manifest.
 */
import type { Cache } from '../cache/cache.ts';
import type { Dataset } from '../contract/dataset.ts';
import {
  type ChangesDocument,
  countsOf,
  type Forgotten,
  type ForgottenSlice,
  isWithin,
  newStatements,
  pairByKey,
  type ReleaseChanges,
  type SliceChanges,
  type TableBefore,
  type TableDescription,
  type TreeRelease,
} from '../format/changes.ts';
import { FORMAT, NO_TEXTS, type SchemaDocument, type Stamp } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest, ManifestEntry, PublishedFile } from '../format/manifest.ts';
import { API_ROOT, NO_YEAR, pastDescription, pastFile, ROOT, relativeLink } from '../format/paths.ts';
import type { MadePieces } from '../plan/pieces.ts';
import type { Compiled, EarlierRelease, TreePlan } from '../plan/plan.ts';
import type { PublishedColumn } from '../slice/row-columns.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import { type EarlierTable, readEarlierTable, Unreadable } from '../tree/earlier-table.ts';
import { type CompareFiles, pairColumns, slicesByName } from '../tree/slice-comparison.ts';
import type { Staging } from '../tree/staging.ts';
import { readDocument } from '../tree/tree-source.ts';
import { documentText } from './document-text.ts';
import { changesFeed, type EarlierReleases, type FeedItem, isFirst } from './feed.ts';
import { publisherName } from './tree-description.ts';

export interface Assembly {
  readonly staging: Staging;
  readonly plan: TreePlan;
  readonly cache: Cache;
  readonly compare: CompareFiles;
  /** Folder where a database may spill. */
  readonly temporary: string;
  readonly made: MadePieces;
  /** Paths of files that the tree leaves out to fit its host: a slice's first page, its CSV, a copy. */
  readonly leftOut: Pick<ReadonlySet<string>, 'has'>;
  readonly earlier: EarlierReleases;
}

export function stampOf(release: string, { inventory: { sample } }: Pick<Compiled, 'inventory'>): Stamp {
  return { format: FORMAT, release, ...(sample && { sample }) };
}

/**
 * A first release that is built again on the same day is still the first, so that the tree doesn't depend on
 * the number of builds before publication.
 */
export async function openEarlier(
  before: EarlierRelease | null,
  release: TreeRelease,
): Promise<EarlierReleases> {
  // Old trees have no such document.
  const feed = before && (await readDocument<{ items: readonly FeedItem[] }>(before.source, ROOT.jsonFeed));
  const items = feed?.items ?? [];
  return {
    before: before?.manifest.date === release.date && isFirst(items) ? null : before,
    items,
    release,
  };
}

/** A dataset or dimension whose rows and other documents are written. */
interface ReleasedTable<Manifest = DatasetManifest | DimensionManifest> {
  /** `domain/topic`, or `domain/_dimensions/name`. */
  readonly key: string;
  /** All keys with these rows, the one that documents name first. The release before may have had fewer. */
  readonly homes: readonly string[];
  /** With the documents written so far. */
  readonly manifest: Manifest;
  readonly columns: readonly PublishedColumn[];
  /** Null for a dimension. */
  readonly dataset: Dataset | null;
  /** Null for a dimension. */
  readonly schema: SchemaDocument | null;
}

/** Slices whose earlier rows the contract takes back. */
type Scope = Pick<Forgotten, 'reason' | 'years' | 'levels'>;

/** The manifest lists the documents with paths relative to it. */
export async function publishTable<Manifest extends DatasetManifest | DimensionManifest>(
  table: ReleasedTable<Manifest>,
  assembly: Assembly,
): Promise<{ readonly manifest: Manifest; readonly entry: ManifestEntry }> {
  const { key, manifest: described } = table;
  const path = `${API_ROOT}/${key}/manifest.json`;
  const documents = described.documents.map(one => ({ ...one, path: relativeLink(path, one.path) }));
  const changes = await new ChangesWriter(table, assembly).write();
  const manifest = { ...described, documents: [...documents, ...changes] };
  const file = await assembly.staging.write(path, documentText(manifest));
  const { release, rows } = manifest;
  return { manifest, entry: { key, release, rows, path, ...file } };
}

class ChangesWriter {
  /** By path relative to the manifest. */
  readonly #files = new Map<string, PublishedFile>();
  readonly #table: ReleasedTable;
  readonly #given: Assembly;
  readonly #folder: string;

  constructor(table: ReleasedTable, given: Assembly) {
    this.#table = table;
    this.#given = given;
    this.#folder = `${API_ROOT}/${table.key}`;
  }

  async write(): Promise<Iterable<PublishedFile>> {
    const { key, homes, schema } = this.#table;
    const { format, release, sample } = this.#table.manifest;
    const known = await this.#known();
    const added = this.#newScopes(known).map(one => ({ ...this.#given.earlier.release, ...one }));
    const forgotten = [...(known.forgotten ?? []), ...added];
    const index: ChangesDocument = {
      ...{ format, release, ...(sample && { sample }) },
      // The same under every domain, so that the bytes are the same.
      subject: homes[0] ?? key,
      ...known,
      ...(forgotten.length > 0 && { forgotten }),
    };
    await this.#add('changes.json', documentText(index, 3));
    if (schema !== null) {
      const author = publisherName(this.#given.plan.contracts.publisher);
      await this.#add('feed.xml', changesFeed(index, schema, author));
    }
    return this.#files.values();
  }

  /** What this release and earlier ones changed. */
  async #known(): Promise<Known> {
    const { homes } = this.#table;
    const { before, release } = this.#given.earlier;
    const fresh = (broken?: string): Known => ({
      since: release.date,
      // Otherwise the date is enough, and the document doesn't change with every other table of the release.
      since_release: before?.manifest.date === release.date ? release.release : undefined,
      releases: [],
      broken,
    });
    if (before === null) return fresh();
    const { datasets, dimensions, withdrawn = [] } = before.manifest;
    const keys = new Set([...datasets, ...dimensions].map(entry => entry.key));
    const key = homes.find(one => keys.has(one));
    const gone = withdrawn.find(one => homes.includes(one.key));
    if (key === undefined) return fresh(gone && `It was withdrawn on ${gone.withdrawn}.`);
    const manifest = before.datasets.get(key) ?? before.dimensions.get(key);
    try {
      if (manifest === undefined)
        throw new Unreadable(`The manifest of release ${before.manifest.release} was not at hand.`);
      return await this.#continue(await readEarlierTable(before, key, manifest, before.strict), before);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return fresh(error.message);
    }
  }

  async #continue(earlier: EarlierTable, { manifest: { release, date } }: OpenedTree): Promise<Known> {
    const known: Known = earlier.changes ?? {
      since: date,
      since_release: release,
      releases: [],
      broken: `Release ${release} has no changes.json.`,
    };
    const scopes = this.#newScopes(known);
    const isChanged = earlier.manifest.release !== this.#table.manifest.release;
    const releases = isChanged ? [await this.#compare(earlier, scopes)] : [];
    let { since, since_release, broken } = known;
    for (const one of known.releases) {
      try {
        releases.push(await this.#carry(one, earlier, scopes));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        // One release's changes are lost, but all later ones are known.
        [since, since_release, broken] = [one.date, one.release, error.message];
        break;
      }
    }
    return { since, since_release, broken, releases, forgotten: known.forgotten };
  }

  /** What the contract takes back now and didn't before. */
  #newScopes({ forgotten = [] }: Pick<ChangesDocument, 'forgotten'>): readonly Scope[] {
    const { errata = [], withdrawnSlices = [] } = this.#table.dataset ?? {};
    const all = [...withdrawnSlices, ...errata.map(one => ({ ...one, reason: one.wrong }))];
    const scopeOf = ({ reason, years, levels }: Scope): Scope => ({ reason, years, levels });
    return newStatements(all.filter(one => one.forget === true).map(scopeOf), forgotten.map(scopeOf));
  }

  /** Compares the table with the release before. */
  async #compare(earlier: EarlierTable, scopes: readonly Scope[]): Promise<ReleaseChanges> {
    const { release } = this.#given.earlier;
    const { columns, manifest, dataset } = this.#table;
    const pairs = pairColumns(
      earlier.manifest,
      manifest,
      new Map(columns.map(({ column: { name, renamedFrom } }) => [name, renamedFrom])),
    );
    const { renamed, dropped } = pairs;
    const changes: SliceChanges[] = [];
    const slices = pairByKey(slicesByName(earlier.manifest), slicesByName(manifest));
    for (const { old: a, now: b } of slices) {
      const { year, detail } = a ?? b ?? { year: NO_YEAR, detail: '' };
      const none = { year, detail, added: 0, removed: 0, revised: 0 };
      const rows = b?.file?.rows ?? 0;
      if (a === undefined) {
        changes.push({ ...none, change: 'added', added: rows });
        continue;
      }
      if (a.release === b?.release) continue;
      const { file } = a;
      if (file === undefined)
        throw new Unreadable(`A slice of release ${release.release} has no Parquet file.`);
      const scope = scopes.find(one => isWithin(one, a));
      if (scope !== undefined) {
        changes.push({ ...none, change: 'forgotten', past: this.#forget(file, scope) });
        continue;
      }
      const change = b?.file === undefined ? 'removed' : pairs.comparable ? 'revised' : 'replaced';
      const old = await earlier.local(file);
      const local = this.#given.staging.locate(`${this.#folder}/${b?.file?.path}`);
      const { added, removed, revised } =
        b?.file !== undefined && pairs.comparable
          ? await this.#given.compare({ ...file, local: old }, { ...b.file, local }, pairs)
          : { ...none, added: rows, removed: file.rows };
      const path = pastFile(file.path, file.sha256);
      const past = await this.#keep({ ...file, path }, old);
      changes.push({ ...none, change, added, removed, revised, past });
    }
    const sum = (kind: 'added' | 'removed' | 'revised') =>
      changes.reduce((total, one) => total + one[kind], 0);
    const fresh = newStatements(dataset?.errata ?? [], await earlier.errata());
    const description = describeBefore(earlier, this.#table);
    return {
      ...release,
      version: manifest.version,
      replaced: earlier.manifest.release,
      added: sum('added'),
      removed: sum('removed'),
      revised: sum('revised'),
      slices: changes,
      ...(Object.keys(renamed).length > 0 && { renamed }),
      ...(dropped.length > 0 && { dropped }),
      ...(fresh.length > 0 && { errata: fresh }),
      ...(description !== null && {
        before: await this.#add(pastDescription(release.release), documentText(description)),
      }),
    };
  }

  /** Keeps an earlier release's replaced files, except slices that are taken back now. */
  async #carry(
    one: ReleaseChanges,
    earlier: EarlierTable,
    scopes: readonly Scope[],
  ): Promise<ReleaseChanges> {
    const take = async (file: PublishedFile) => this.#keep(file, await earlier.local(file));
    if (one.before) await take(one.before);
    const slices: SliceChanges[] = [];
    for (const slice of one.slices) {
      const { past } = slice;
      const scope = scopes.find(each => isWithin(each, slice));
      if (past === undefined || 'reason' in past) slices.push(slice);
      else if (scope === undefined) {
        await take(past);
        slices.push(slice);
      } else slices.push({ ...slice, change: 'forgotten', past: this.#forget(past, scope) });
    }
    return { ...one, slices };
  }

  /** Publishes a file of the release before, whose bytes are at `local` on this machine. */
  async #keep<File extends PublishedFile>(file: File, local: string): Promise<File> {
    const { path } = file;
    const known = await this.#given.staging.copy(`${this.#folder}/${path}`, file, local);
    this.#files.set(path, { path, ...known });
    return { ...file, modified: known.modified };
  }

  #forget({ sha256 }: PublishedFile, { reason }: Scope): ForgottenSlice {
    return { sha256, date: this.#given.earlier.release.date, reason };
  }

  async #add(path: string, text: string): Promise<PublishedFile> {
    const file = { path, ...(await this.#given.staging.write(`${this.#folder}/${path}`, text)) };
    this.#files.set(path, file);
    return file;
  }
}

/** The part of changes.json that one release passes to the next. */
type Known = Pick<ChangesDocument, 'since' | 'since_release' | 'broken' | 'releases' | 'forgotten'>;

/** Null if the description after the release gives the same answers about these slices. */
function describeBefore(earlier: TableDescription, now: TableDescription): TableBefore | null {
  const [before, after] = [describeAnswers(earlier), describeAnswers(now)];
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const own = { format: FORMAT, release: '', rows: 0 };
  const schema = isSame(before.schema, after.schema) ? null : before.schema;
  if (schema === null && isSame({ ...before.manifest, ...own }, { ...after.manifest, ...own })) return null;
  return { format: FORMAT, manifest: before.manifest, ...(schema !== null && { schema }) };
}

const NO_FILES = { ...NO_TEXTS, parquet: [] };

/** Without slices, documents and what affects no answer. */
function describeAnswers({ manifest, schema }: TableDescription): TableDescription {
  const files =
    'dimension' in manifest
      ? { ...manifest, files: NO_FILES }
      : { ...manifest, slices: [], copies: countsOf(manifest.copies) };
  if (schema === null) return { manifest: { ...files, documents: [] }, schema };
  const { filters, time, detail_levels, default_detail } = schema;
  return {
    manifest: { ...files, documents: [] },
    schema: { filters, ...(time && { time }), detail_levels, default_detail },
  };
}
