/** Writes what a release changed in a dataset or dimension, and carries over what earlier releases changed. */
import { changesFeed } from '../catalog/changes-feed.ts';
import { documentText } from '../catalog/document-text.ts';
import { publisherName } from '../catalog/tree-description.ts';
import type { ChangesDocument, ReleaseChanges, SliceChanges } from '../format/changes.ts';
import type { Erratum } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest, PublishedFile, SliceEntry } from '../format/manifest.ts';
import { API_ROOT, changesFile, NO_YEAR } from '../format/paths.ts';
import { droppedColumns, pairColumns, renamings } from '../slice/changed-columns.ts';
import {
  type ChangesInput,
  type WrittenChanges,
  writeChanges,
  writeRemaining,
} from '../slice/changes-writer.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import { type EarlierTable, readEarlierTable, Unreadable } from '../tree/earlier-table.ts';
import type { Staging } from '../tree/staging.ts';
import type { Memory, RememberedSlice, RememberedTable, Scope } from './memory.ts';
import { tableBefore } from './table-before.ts';

/** The level of a dimension's only slice. */
const ROWS = 'rows';

/** Returns the files for the manifest, with paths relative to it. */
export async function writeMemory(
  staging: Staging,
  table: RememberedTable,
  memory: Memory,
): Promise<PublishedFile[]> {
  const writer = new MemoryWriter(staging, table, memory);
  await writer.write();
  return writer.files;
}

class MemoryWriter {
  readonly files: PublishedFile[] = [];
  readonly #staging: Staging;
  readonly #table: RememberedTable;
  readonly #memory: Memory;
  readonly #folder: string;

  constructor(staging: Staging, table: RememberedTable, memory: Memory) {
    this.#staging = staging;
    this.#table = table;
    this.#memory = memory;
    this.#folder = `${API_ROOT}/${table.key}`;
  }

  /** The same under every domain, as the bytes are. */
  get #subject(): string {
    const { key, homes } = this.#table;
    return homes[0] ?? key;
  }

  async write(): Promise<void> {
    const { homes, stamp } = this.#table;
    const { before, manifests, strict, release } = this.#memory;
    const base = { ...stamp, subject: this.#subject };
    // Elsewhere the day says it, and the document does not differ with each other table of the release.
    const isOfDay = before?.manifest.date === release.date;
    const named = isOfDay ? { since_release: release.release } : {};
    const fresh = { ...base, since: release.date, ...named, releases: [] };
    const index = await (async (): Promise<ChangesDocument> => {
      const key = before && homes.find(one => lists(before, one));
      if (before === null || !key) {
        const gone = before?.manifest.withdrawn?.find(one => homes.includes(one.key));
        return gone === undefined ? fresh : { ...fresh, broken: `It was withdrawn on ${gone.withdrawn}.` };
      }
      const manifest = manifests.get(key);
      if (manifest === undefined)
        return { ...fresh, broken: `The manifest of release ${before.manifest.release} was not at hand.` };
      try {
        const earlier = await readEarlierTable(before, key, manifest, strict);
        return { ...base, ...(await this.#continue(earlier, before)) };
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        return { ...fresh, broken: error.message };
      }
    })();
    const forgotten = [
      ...(index.forgotten ?? []),
      ...this.#newScopes(index).map(one => ({ ...release, ...one })),
    ];
    await this.#add('changes.json', documentText(forgotten.length === 0 ? index : { ...index, forgotten }));
    const { title, metadata } = this.#table;
    if (title !== null)
      await this.#add('feed.xml', changesFeed(index, title, publisherName(metadata.publisher)));
  }

  async #continue(earlier: EarlierTable, { manifest: { release, date } }: OpenedTree): Promise<Known> {
    const known: Known = earlier.changes ?? {
      since: date,
      since_release: release,
      releases: [],
      broken: `Release ${release} has no changes.json.`,
    };
    const scopes = this.#newScopes(known);
    const isChanged = earlier.manifest.release !== this.#table.stamp.release;
    const latest = isChanged ? [await this.#compare(earlier, scopes)] : [];
    const kept: ReleaseChanges[] = [];
    for (const one of known.releases) {
      try {
        kept.push(await this.#carry(one, earlier, scopes));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        // Since the release whose changes are lost, each later one is known.
        const { forgotten } = known;
        return {
          since: one.date,
          since_release: one.release,
          broken: error.message,
          releases: [...latest, ...kept],
          ...(forgotten && { forgotten }),
        };
      }
    }
    const { since, since_release, broken, forgotten } = known;
    return {
      since,
      ...(since_release === undefined ? {} : { since_release }),
      ...(broken === undefined ? {} : { broken }),
      releases: [...latest, ...kept],
      ...(forgotten && { forgotten }),
    };
  }

  /** What the contract takes back now and did not before. */
  #newScopes({ forgotten = [] }: Pick<ChangesDocument, 'forgotten'>): readonly Scope[] {
    const known = new Set(forgotten.map(scopeText));
    return this.#table.forget.filter(one => !known.has(scopeText(one)));
  }

  /** What this release changes in the table of the release before. */
  async #compare(earlier: EarlierTable, scopes: readonly Scope[]): Promise<ReleaseChanges> {
    const { release } = this.#memory;
    const { columns, slices, order, errata, metadata } = this.#table;
    const now = { columns: columns.map(column => column.row), order };
    const renamed = new Map(
      columns.flatMap(({ column: { name, renamedFrom } }) =>
        renamedFrom === null ? [] : [[name, renamedFrom] as const],
      ),
    );
    const paired = pairColumns(earlier.manifest, now, renamed);
    const before = new Map(slicesOf(earlier.manifest).map(slice => [nameOf(slice), slice]));
    const after = new Map(slices.map(slice => [nameOf(slice), slice]));
    const changes: SliceChanges[] = [];
    const compared: ChangesInput['slices'][number][] = [];
    for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const [a, b] = [before.get(name), after.get(name)];
      const { year, detail } = a ?? b ?? { year: NO_YEAR, detail: ROWS };
      const none = { year, detail, added: 0, removed: 0, revised: 0 };
      if (a === undefined) changes.push({ ...none, change: 'added', added: b?.file?.rows ?? 0 });
      else if (a.release === b?.release) continue;
      else if (scopes.some(scope => isWithin(scope, a))) changes.push({ ...none, change: 'forgotten' });
      else {
        const kind = b === undefined ? 'removed' : paired.comparable ? 'revised' : 'replaced';
        if (a.file === undefined)
          throw new Unreadable(`A slice of release ${release.release} has no Parquet file.`);
        const old = await earlier.local(a.file);
        const file = kind === 'revised' ? b?.file : undefined;
        compared.push({
          year,
          detail,
          old,
          now: file ? this.#staging.locate(`${this.#folder}/${file.path}`) : null,
        });
        changes.push({ ...none, change: kind, added: kind === 'replaced' ? (b?.file?.rows ?? 0) : 0 });
      }
    }
    const written =
      compared.length === 0
        ? NOTHING
        : await writeChanges({
            session: await this.#memory.session(),
            columns: paired,
            slices: compared,
            metadata,
            folder: this.#staging.folder,
            name: changesFile(this.#folder, release.release, 'parquet'),
          });
    const counted = new Map(written.counts.map(one => [nameOf(one), one]));
    const all = changes.flatMap((one): SliceChanges[] => {
      const count = counted.get(nameOf(one));
      if (count === undefined) return one.change === 'revised' ? [] : [one];
      const { removed, revised } = count;
      return [{ ...one, added: one.added + count.added, removed, revised }];
    });
    const sum = (kind: 'added' | 'removed' | 'revised') => all.reduce((total, one) => total + one[kind], 0);
    const names = renamings(paired);
    const dropped = droppedColumns(paired);
    const told = new Set((await this.#earlierErrata(earlier)).map(one => JSON.stringify(one)));
    const fresh = errata.filter(one => !told.has(JSON.stringify(one)));
    return {
      ...release,
      version: metadata.version,
      added: sum('added'),
      removed: sum('removed'),
      revised: sum('revised'),
      slices: all,
      ...(Object.keys(names).length > 0 && { renamed: names }),
      ...(dropped.length > 0 && { dropped }),
      ...(fresh.length > 0 && { errata: fresh }),
      before: await this.#add(
        this.#name('before.json'),
        documentText(tableBefore(earlier.manifest, earlier.schema)),
      ),
      rows: await this.#publish(release.release, written),
    };
  }

  async #earlierErrata({ manifest, bytes }: EarlierTable): Promise<readonly Erratum[]> {
    const file = manifest.documents.find(one => one.path === 'errata.json');
    if (file === undefined) return [];
    return (JSON.parse((await bytes(file)).toString('utf8')) as { readonly errata: readonly Erratum[] })
      .errata;
  }

  /** Lists the files of a release's rows. */
  async #publish(release: string, { rows }: WrittenChanges): Promise<ReleaseChanges['rows']> {
    if (rows === null) return null;
    const { columns, keyColumns, file: written, json } = rows;
    const file = { ...this.#staging.add(written.path, written), path: this.#name('parquet', release) };
    const { row_groups: _, rows: __, ...listed } = file;
    this.files.push(listed);
    const { stamp } = this.#table;
    const head = `${JSON.stringify({ ...stamp, release, subject: this.#subject }).slice(0, -1)},"data":[\n`;
    const text = json === null ? null : `${head}${json}\n]}\n`;
    return {
      columns,
      key_columns: keyColumns,
      file,
      ...(text === null ? {} : { json: await this.#add(this.#name('json', release), text) }),
    };
  }

  /** Keeps what an earlier release changed, without the slices that are taken back now. */
  async #carry(
    one: ReleaseChanges,
    earlier: EarlierTable,
    scopes: readonly Scope[],
  ): Promise<ReleaseChanges> {
    await this.#keep(one.before, earlier);
    const { rows } = one;
    const gone = one.slices.filter(
      slice => slice.change !== 'added' && scopes.some(scope => isWithin(scope, slice)),
    );
    const slices = one.slices.map(slice =>
      gone.includes(slice) ? { ...slice, change: 'forgotten' as const } : slice,
    );
    if (rows === null || gone.length === 0) {
      for (const file of rows === null ? [] : [rows.file, ...(rows.json ? [rows.json] : [])])
        await this.#keep(file, earlier);
      return { ...one, slices };
    }
    const written = await writeRemaining(
      {
        session: await this.#memory.session(),
        metadata: this.#table.metadata,
        folder: this.#staging.folder,
        name: changesFile(this.#folder, one.release, 'parquet'),
      },
      await earlier.local(rows.file),
      rows,
      gone,
    );
    return { ...one, slices, rows: await this.#publish(one.release, written) };
  }

  async #keep(file: PublishedFile, { bytes }: EarlierTable): Promise<void> {
    const name = `${this.#folder}/${file.path}`;
    if ((await this.#staging.keep(name, file)) === null) await this.#staging.write(name, await bytes(file));
    const { path, sha256, modified, blocks } = file;
    this.files.push({
      path,
      bytes: file.bytes,
      sha256,
      modified,
      ...(blocks === undefined ? {} : { blocks }),
    });
  }

  #name(kind: 'parquet' | 'json' | 'before.json', release = this.#memory.release.release): string {
    return changesFile('.', release, kind).slice(2);
  }

  async #add(path: string, text: string): Promise<PublishedFile> {
    const file = { path, ...(await this.#staging.write(`${this.#folder}/${path}`, text)) };
    this.files.push(file);
    return file;
  }
}

/** What goes on from one release to the next. */
type Known = Pick<ChangesDocument, 'since' | 'since_release' | 'broken' | 'releases' | 'forgotten'>;

const NOTHING: WrittenChanges = { counts: [], rows: null };

function lists({ manifest: { datasets, dimensions } }: OpenedTree, key: string): boolean {
  return [...datasets, ...dimensions].some(entry => entry.key === key);
}

function scopeText({ reason, years, levels }: Scope): string {
  return JSON.stringify([reason, years, levels]);
}

function isWithin({ years, levels }: Scope, { year, detail }: Pick<SliceEntry, 'year' | 'detail'>): boolean {
  return (years.length === 0 || years.includes(year)) && (levels.length === 0 || levels.includes(detail));
}

function nameOf({ year, detail }: Pick<SliceEntry, 'year' | 'detail'>): string {
  return `${String(year).padStart(4, '0')}/${detail}`;
}

/** A dimension's rows are one slice. */
function slicesOf(manifest: DatasetManifest | DimensionManifest): readonly RememberedSlice[] {
  if ('dimension' in manifest) {
    const [file] = manifest.files.parquet;
    return [{ year: NO_YEAR, detail: ROWS, release: manifest.release, file }];
  }
  return manifest.slices.map(({ year, detail, release, files }) => ({
    year,
    detail,
    release,
    file: files.parquet[0],
  }));
}
