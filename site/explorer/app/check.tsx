/**
 * The page that checks figures. Compares the published files with their hashes, and the hashes with the
 * signed log of releases (FORMAT.md, "log/").
 */
import { sha256 as hashNow } from '@noble/hashes/sha2.js';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import {
  contentLines,
  type DatasetManifest,
  listedFiles,
  type TreeManifest,
} from '../../../build/format/manifest.ts';
import { ROOT } from '../../../build/format/paths.ts';
import {
  bundlePaths,
  CHECKPOINT,
  type Checkpoint,
  ID_BYTES,
  keyId,
  type PublicKey,
  parseBundle,
  parseCheckpoint,
  parsePublicKey,
  rootOf,
  toHex,
} from '../../../build/format/signed-log.ts';
import { sha256 } from '../../edge/files/sha256.ts';
import { HostError } from '../../edge/files/watched-fetch.ts';
import { t } from '../messages/messages.ts';
import { formatBytes, formatCount } from '../view/format.ts';
import { root } from '../view/tree-root.ts';
import { explain } from './explanation.tsx';
import { useTask } from './task.ts';
import { readFile } from './tree-documents.ts';

export function startCheck(page: HTMLElement): void {
  const place = page.querySelector<HTMLElement>('#check-form');
  const datasets = [...page.querySelectorAll<HTMLElement>('#check-datasets [data-key]')].map(item => ({
    key: item.dataset['key'] ?? '',
    title: item.textContent ?? '',
  }));
  if (place) render(<Checker datasets={datasets} />, place);
}

interface CheckerProps {
  readonly datasets: readonly { readonly key: string; readonly title: string }[];
}

function Checker({ datasets }: CheckerProps) {
  const asked = new URLSearchParams(location.hash.slice(1));
  const [dataset, setDataset] = useState(asked.get('dataset') ?? datasets[0]?.key ?? '');
  const [key, setKey] = useState(asked.get('key') ?? '');
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const task = useTask(t.check.cancelled, error => t.check.incomplete(explain(error)));
  const check = (event: Event) => {
    event.preventDefault();
    setFindings([]);
    void task.run(t.check.readingManifest, async (signal, onProgress) => {
      const found: Finding[] = [];
      for await (const one of checkTree({ root, dataset, key, signal, onProgress })) {
        signal.throwIfAborted();
        found.push(one);
        setFindings([...found]);
      }
      return summarize(found);
    });
  };
  return (
    <>
      <form class="fields" onSubmit={check}>
        <div class="field">
          <label for="check-dataset">{t.nouns.dataset}</label>
          <select
            id="check-dataset"
            value={dataset}
            onChange={event => setDataset(event.currentTarget.value)}
          >
            {datasets.map(one => (
              <option key={one.key} value={one.key}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="check-key">{t.check.key}</label>
          <input
            id="check-key"
            class="hash"
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={key}
            onInput={event => setKey(event.currentTarget.value)}
          />
        </div>
        <div class="toolbar">
          <button class="button" type="submit">
            {t.check.check}
          </button>
          {task.stage !== null && (
            <button type="button" class="button quiet" onClick={task.cancel}>
              {t.progress.cancel}
            </button>
          )}
        </div>
      </form>
      <p id="check-status" role="status">
        {task.stage ?? task.said}
      </p>
      <ol id="check-findings" class="rows">
        {findings.map(({ verdict, text }) => (
          <li key={text} class={verdict === 'wrong' ? 'notice warn' : undefined} data-verdict={verdict}>
            <strong>{t.check[verdict]}:</strong> {text}
          </li>
        ))}
      </ol>
    </>
  );
}

function summarize(findings: readonly Finding[]): string {
  const of = (verdict: Finding['verdict']) => findings.filter(one => one.verdict === verdict).length;
  if (of('wrong') > 0) return t.check.isWrong;
  return of('unknown') > 0 ? t.check.isPartly : t.check.isSound;
}

/** `unknown`: it can't be checked. */
export interface Finding {
  readonly verdict: 'sound' | 'wrong' | 'unknown';
  readonly text: string;
}

interface CheckInput {
  readonly root: URL;
  /** `domain/topic` */
  readonly dataset: string;
  /** The publisher's public key; '' if the reader has none. */
  readonly key: string;
  readonly signal: AbortSignal;
  onProgress(text: string): void;
}

const sound = (text: string): Finding => ({ verdict: 'sound', text });
const wrong = (text: string): Finding => ({ verdict: 'wrong', text });
const unknown = (text: string): Finding => ({ verdict: 'unknown', text });

/** Names of damaged files that a finding lists. */
const MOST_NAMED = 5;

/**
 * Yields its findings in the order of the chain of hashes: manifest, dataset, files, log. Throws if the host
 * can't be read.
 */
export async function* checkTree(input: CheckInput): AsyncGenerator<Finding> {
  const bytes = await read(input, ROOT.manifest);
  const manifest = bytes && parse<TreeManifest>(bytes);
  if (bytes === null || manifest === null) return yield wrong(t.check.damaged(ROOT.manifest));
  const hash = await sha256(bytes);
  const sums = parseSums(await read(input, ROOT.checksums));
  if (sums === null) yield unknown(t.check.noSums(ROOT.checksums, ROOT.manifest));
  else if (sums.get(ROOT.manifest) === hash) yield sound(t.check.listed(ROOT.manifest, ROOT.checksums, hash));
  else yield wrong(t.check.notListed(ROOT.manifest, ROOT.checksums));
  yield* checkDataset(input, manifest);
  yield* checkLog(input, manifest, sums);
}

async function* checkDataset(input: CheckInput, { datasets }: TreeManifest): AsyncGenerator<Finding> {
  const entry = datasets.find(({ key }) => key === input.dataset);
  if (entry === undefined) return yield wrong(t.errors.noDataset(input.dataset));
  const bytes = await read(input, entry.path);
  const manifest = bytes && parse<DatasetManifest>(bytes);
  if (bytes === null || manifest === null || (await sha256(bytes)) !== entry.sha256)
    return yield wrong(t.check.notListed(entry.path, ROOT.manifest));
  yield sound(t.check.listed(entry.path, ROOT.manifest, entry.sha256));
  const files = listedFiles(manifest);
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
    const names = more > 0 ? t.words.andMore(named, formatCount(more)) : named;
    yield wrong(t.check.filesDamaged(formatCount(damaged.length), count, names));
  }
}

async function* checkLog(
  input: CheckInput,
  tree: TreeManifest,
  sums: ReadonlyMap<string, string> | null,
): AsyncGenerator<Finding> {
  const given = parsePublicKey(input.key, hashNow);
  const key = given?.kind === 'signer' ? given : null;
  if (key === null && input.key.trim() !== '') yield wrong(t.check.noKey);
  if (sums !== null && !sums.has(CHECKPOINT))
    return yield (key === null ? unknown : wrong)(t.check.notSigned);
  const note = await read(input, CHECKPOINT);
  const checkpoint = note && parseCheckpoint(new TextDecoder().decode(note));
  if (!checkpoint) return yield wrong(t.check.noCheckpoint(CHECKPOINT));
  yield await checkEntries(input, checkpoint, tree);
  if (key === null) {
    const [signature] = checkpoint.note.signatures;
    const id = toHex(signature?.bytes.subarray(0, ID_BYTES) ?? new Uint8Array());
    return yield unknown(t.check.signedSays(checkpoint.origin, `${signature?.name}+${id}`));
  }
  const id = `${key.name}+${keyId(key, hashNow)}`;
  const print = await sha256(key.bytes);
  const signed = await isSigned(checkpoint, key);
  if (signed === null) yield unknown(t.check.noEd25519);
  else if (signed) yield sound(t.check.signed(id, print));
  else yield wrong(t.check.otherwiseSigned(id, print));
}

/** Whether the log's entries give the signed root, and the last one is this release. */
async function checkEntries(
  input: CheckInput,
  { size, root }: Checkpoint,
  tree: TreeManifest,
): Promise<Finding> {
  const { release } = tree;
  const content = await sha256(new TextEncoder().encode(contentLines(tree)));
  input.onProgress(t.check.readingLog);
  const bundles = await Promise.all(bundlePaths(size).map(path => read(input, path)));
  const entries = bundles.flatMap(bundle => (bundle && parseBundle(bundle)) ?? []);
  if (entries.length !== size || rootOf(entries, hashNow) !== root) return wrong(t.check.otherRoot);
  const at = entries.findIndex(entry => entry.release === release && entry.content === content);
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

/** Null if the host has no such file. An edge answers 502 if its bytes aren't the published ones. */
function read({ root, signal }: CheckInput, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  return readFile(path, { cache: 'no-cache', signal, from: root }).catch((error: unknown) => {
    if (error instanceof HostError && error.status === 502) return null;
    throw error;
  });
}

/** Null if the browser can't check such signatures, as on a page without HTTPS. */
async function isSigned({ note, origin }: Checkpoint, key: PublicKey): Promise<boolean | null> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  const raw = key.bytes.slice();
  const imported = await subtle?.importKey('raw', raw, 'Ed25519', false, ['verify']).catch(() => null);
  if (!subtle || !imported) return null;
  const text = new TextEncoder().encode(note.text);
  const id = keyId(key, hashNow);
  const mine = note.signatures.filter(
    ({ name, bytes }) => name === key.name && toHex(bytes.subarray(0, ID_BYTES)) === id,
  );
  const found = await Promise.all(
    mine.map(({ bytes }) => subtle.verify('Ed25519', imported, bytes.slice(ID_BYTES), text)),
  );
  return origin === key.name && found.includes(true);
}
