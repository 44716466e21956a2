/** Checks the published files of a dataset, and the signed log, against one another. */
import type { DatasetManifest, PublishedFile, TreeManifest } from '../../../../build/format/manifest.ts';
import { ROOT } from '../../../../build/format/paths.ts';
import { contentLines } from '../../../../build/format/release-content.ts';
import { sha256 } from '../../../edge/files/sha256.ts';
import { HostError, readAll, watchedFetch } from '../../../edge/files/watched-fetch.ts';
import { SILENCE } from '../../engine/patience.ts';
import { countOf, formatBytes } from '../../view/format.ts';
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
  if (bytes === null) return yield wrong(`${ROOT.manifest} is missing.`);
  const hash = await sha256(bytes);
  const manifest = parse<TreeManifest>(bytes);
  if (manifest === null) return yield wrong(`${ROOT.manifest} is damaged: it is not JSON.`);
  const sums = parseSums(await read(input, ROOT.checksums));
  if (sums === null)
    yield unknown(`${ROOT.checksums} is missing, so nothing says which hash ${ROOT.manifest} has.`);
  else if (sums.get(ROOT.manifest) === hash)
    yield sound(
      `${ROOT.manifest} of release ${manifest.release} has the hash that ${ROOT.checksums} lists: ${hash}.`,
    );
  else yield wrong(`${ROOT.manifest} has the hash ${hash}, and ${ROOT.checksums} lists another.`);
  yield* checkDataset(input, manifest);
  yield* checkLog(input, manifest, hash, sums);
}

async function* checkDataset(input: CheckInput, { datasets }: TreeManifest): AsyncGenerator<Finding> {
  const entry = datasets.find(({ key }) => key === input.dataset);
  if (entry === undefined) return yield wrong(`${ROOT.manifest} lists no dataset ${input.dataset}.`);
  const bytes = await read(input, entry.path);
  const manifest = bytes && parse<DatasetManifest>(bytes);
  if (bytes === null || manifest === null || (await sha256(bytes)) !== entry.sha256)
    return yield wrong(`${entry.path} is not the file that ${ROOT.manifest} lists.`);
  yield sound(`The manifest of ${input.dataset} has the hash that ${ROOT.manifest} lists.`);
  const files = listFiles(manifest);
  const all = files.reduce((sum, file) => sum + file.bytes, 0);
  const folder = new URL(entry.path, input.root);
  const damaged: string[] = [];
  let done = 0;
  for (const [i, file] of files.entries()) {
    input.onProgress(
      `Reading file ${i + 1} of ${files.length}: ${formatBytes(done)} of ${formatBytes(all)}.`,
    );
    const path = new URL(file.path, folder).href.slice(input.root.href.length);
    const content = await read(input, path);
    if (content === null || (await sha256(content)) !== file.sha256) damaged.push(path);
    done += file.bytes;
  }
  if (damaged.length === 0)
    yield sound(
      `All ${countOf(files.length, 'file')} of the dataset (${formatBytes(all)}) have the hashes that its manifest lists.`,
    );
  else {
    const more = damaged.length > MOST_NAMED ? ` and ${damaged.length - MOST_NAMED} more` : '';
    yield wrong(
      `${damaged.length} of ${countOf(files.length, 'file')} are missing or have other bytes than the manifest lists: ${damaged.slice(0, MOST_NAMED).join(', ')}${more}.`,
    );
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
  if (key === null && input.key.trim() !== '')
    yield wrong('The text that you gave is no public key. It has the form name+id+key.');
  if (sums !== null && !sums.has(CHECKPOINT))
    return yield key === null
      ? unknown('Nobody signed this release: the tree has no log.')
      : wrong('Nobody signed this release: the tree has no log, although its publisher has a key.');
  const note = await read(input, CHECKPOINT);
  const checkpoint = note && parseCheckpoint(new TextDecoder().decode(note));
  if (!checkpoint) return yield wrong(`${CHECKPOINT} is missing or is no signed checkpoint.`);
  if (checkpoint.size > MOST_ENTRIES)
    return yield unknown('The log is too long for this page. Use civic verify.');
  yield await checkEntries(input, checkpoint, tree, manifest);
  const [signature] = checkpoint.signatures;
  if (key === null)
    return yield unknown(
      `The log “${checkpoint.origin}” says that it is signed with the key ${signature?.name}+${signature?.id}. Give the publisher’s public key, from another place than this site, to check the signature.`,
    );
  const signed = await isSigned(checkpoint, key);
  const print = `Its fingerprint (SHA-256) is ${await sha256(key.bytes)}.`;
  if (signed === null)
    yield unknown(
      'This browser cannot check Ed25519 signatures on this page. Use another one, or civic verify.',
    );
  else if (signed)
    yield sound(`The log is signed with the key ${key.name}+${key.id} that you gave. ${print}`);
  else yield wrong(`The log is not signed with the key ${key.name}+${key.id} that you gave. ${print}`);
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
  input.onProgress('Reading the log of releases.');
  const bundles = await Promise.all(bundlePaths(size).map(path => read(input, path)));
  const entries = bundles.flatMap(bundle => (bundle && splitBundle(bundle)) ?? []);
  if (entries.length !== size || (await rootOf(entries)) !== root)
    return wrong('The entries of the log do not give the root that its checkpoint states.');
  const at = entries.findIndex(bytes => {
    const entry = parseEntry(bytes);
    const isSame = entry?.content === undefined ? entry?.manifest === manifest : entry.content === content;
    return entry?.release === release && isSame;
  });
  if (at < 0)
    return wrong(`The log does not hold the content of this ${ROOT.manifest} as release ${release}.`);
  return sound(
    `Release ${release} is entry ${at + 1} of ${size} in the log of releases, with the content of this ${ROOT.manifest}.`,
  );
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
