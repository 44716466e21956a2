/** Checks the published files of a dataset, and the signed log, against one another. */
import type { DatasetManifest, PublishedFile, TreeManifest } from '../../../../build/format/manifest.ts';
import { ROOT } from '../../../../build/format/paths.ts';
import { contentLines } from '../../../../build/format/release-content.ts';
import { sha256 } from '../../../edge/files/sha256.ts';
import { HostError, readAll, watchedFetch } from '../../../edge/files/watched-fetch.ts';
import { SILENCE } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { formatBytes, formatCount } from '../../view/format.ts';
import {
  bundlePaths,
  type Checkpoint,
  isSigned,
  MOST_ENTRIES,
  parseCheckpoint,
  parseEntry,
  parsePublicKey,
  rootOf,
  splitBundle,
} from './signed-log.ts';

/** `unknown`: it could not be checked. */
export interface Finding {
  readonly verdict: 'sound' | 'wrong' | 'unknown';
  readonly text: string;
}

interface CheckInput {
  /** The tree's root. */
  readonly root: URL;
  /** `domain/topic` */
  readonly dataset: string;
  /** The publisher's public key; empty if the reader has none. */
  readonly key: string;
  readonly signal: AbortSignal;
  onProgress(text: string): void;
}

const sound = (text: string): Finding => ({ verdict: 'sound', text });
const wrong = (text: string): Finding => ({ verdict: 'wrong', text });
const unknown = (text: string): Finding => ({ verdict: 'unknown', text });

const CHECKPOINT = 'log/checkpoint';
/** Names of damaged files that a finding lists. */
const MOST_NAMED = 5;

/** Yields what it finds, in the order of a chain: manifest, dataset, files, log. Throws if the host cannot be read. */
export async function* checkTree(input: CheckInput): AsyncGenerator<Finding> {
  const bytes = await read(input, ROOT.manifest);
  if (bytes === null) return yield wrong(t.check.missing(ROOT.manifest));
  const hash = await sha256(bytes);
  const manifest = parse<TreeManifest>(bytes);
  if (manifest === null) return yield wrong(t.check.notJson(ROOT.manifest));
  const sums = parseSums(await read(input, ROOT.checksums));
  if (sums === null) yield unknown(t.check.noSums(ROOT.checksums, ROOT.manifest));
  else if (sums.get(ROOT.manifest) === hash)
    yield sound(t.check.hasHash(ROOT.manifest, manifest.release, ROOT.checksums, hash));
  else yield wrong(t.check.otherHash(ROOT.manifest, ROOT.checksums, hash));
  yield* checkDataset(input, manifest);
  yield* checkLog(input, manifest, hash, sums);
}

async function* checkDataset(input: CheckInput, { datasets }: TreeManifest): AsyncGenerator<Finding> {
  const entry = datasets.find(({ key }) => key === input.dataset);
  if (entry === undefined) return yield wrong(t.check.noDataset(ROOT.manifest, input.dataset));
  const bytes = await read(input, entry.path);
  const manifest = bytes && parse<DatasetManifest>(bytes);
  if (bytes === null || manifest === null || (await sha256(bytes)) !== entry.sha256)
    return yield wrong(t.check.notListed(entry.path, ROOT.manifest));
  yield sound(t.check.datasetListed(input.dataset, ROOT.manifest));
  const files = listFiles(manifest);
  const all = files.reduce((sum, file) => sum + file.bytes, 0);
  const folder = new URL(entry.path, input.root);
  const count = formatCount(files.length);
  const damaged: string[] = [];
  let done = 0;
  for (const [i, file] of files.entries()) {
    input.onProgress(t.check.readingFile(formatCount(i + 1), count, formatBytes(done), formatBytes(all)));
    const path = new URL(file.path, folder).href.slice(input.root.href.length);
    const content = await read(input, path);
    if (content === null || (await sha256(content)) !== file.sha256) damaged.push(path);
    done += file.bytes;
  }
  if (damaged.length === 0) yield sound(t.check.filesSound(count, formatBytes(all)));
  else {
    const named = damaged.slice(0, MOST_NAMED).join(', ');
    const more = damaged.length - MOST_NAMED;
    const names = more > 0 ? t.check.andMore(named, formatCount(more)) : named;
    yield wrong(t.check.filesDamaged(formatCount(damaged.length), count, names));
  }
}

function listFiles({ slices, copies, documents }: DatasetManifest): readonly PublishedFile[] {
  const rows = slices.flatMap(({ files }) => [...files.json, ...files.csv, ...files.parquet]);
  return [...rows, ...copies.map(({ file }) => file), ...documents];
}

async function* checkLog(
  input: CheckInput,
  tree: TreeManifest,
  manifest: string,
  sums: ReadonlyMap<string, string> | null,
): AsyncGenerator<Finding> {
  const key = input.key.trim() === '' ? null : await parsePublicKey(input.key);
  if (key === null && input.key.trim() !== '') yield wrong(t.check.noKey);
  if (sums !== null && !sums.has(CHECKPOINT))
    return yield key === null ? unknown(t.check.notSigned) : wrong(t.check.notSignedByKey);
  const note = await read(input, CHECKPOINT);
  const checkpoint = note && parseCheckpoint(new TextDecoder().decode(note));
  if (!checkpoint) return yield wrong(t.check.noCheckpoint(CHECKPOINT));
  if (checkpoint.size > MOST_ENTRIES) return yield unknown(t.check.longLog);
  yield await checkEntries(input, checkpoint, tree, manifest);
  const [signature] = checkpoint.signatures;
  if (key === null)
    return yield unknown(t.check.signedSays(checkpoint.origin, `${signature?.name}+${signature?.id}`));
  const signed = await isSigned(checkpoint, key);
  const id = `${key.name}+${key.id}`;
  const print = await sha256(key.bytes);
  if (signed === null) yield unknown(t.check.noEd25519);
  else if (signed) yield sound(t.check.signed(id, print));
  else yield wrong(t.check.otherwiseSigned(id, print));
}

/** Whether the log's entries give the root that is signed, and this release is the last one. */
async function checkEntries(
  input: CheckInput,
  { size, root }: Checkpoint,
  tree: TreeManifest,
  manifest: string,
): Promise<Finding> {
  const { release } = tree;
  const content = await sha256(new TextEncoder().encode(contentLines(tree)));
  input.onProgress(t.check.readingLog);
  const bundles = await Promise.all(bundlePaths(size).map(path => read(input, path)));
  const entries = bundles.flatMap(bundle => (bundle && splitBundle(bundle)) ?? []);
  if (entries.length !== size || (await rootOf(entries)) !== root) return wrong(t.check.otherRoot);
  const at = entries.findIndex(bytes => {
    const entry = parseEntry(bytes);
    const isSame = entry?.content === undefined ? entry?.manifest === manifest : entry.content === content;
    return entry?.release === release && isSame;
  });
  if (at < 0) return wrong(t.check.notInLog(ROOT.manifest, release));
  return sound(t.check.inLog(release, formatCount(at + 1), formatCount(size), ROOT.manifest));
}

/** Hashes by path; null without a list. */
function parseSums(bytes: Uint8Array | null): ReadonlyMap<string, string> | null {
  if (bytes === null) return null;
  const lines = new TextDecoder().decode(bytes).matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm);
  return new Map([...lines].map(([, hash = '', path = '']) => [path, hash]));
}

function parse<Document>(bytes: Uint8Array): Document | null {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Document;
  } catch {
    return null;
  }
}

/** Null if the host has no such file. */
async function read({ root, signal }: CheckInput, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const found = await watchedFetch(new URL(path, root).href, { cache: 'no-cache' }, SILENCE, signal);
  const { ok, status } = found.response;
  if (ok) return readAll(found);
  await found.end();
  // An edge answers 502 instead of bytes that are not the published ones.
  if (status === 404 || status === 410 || status === 502) return null;
  throw new HostError(`${path} answered ${status}.`, { status });
}
