/** A refusal for people: a page that names what is near, in place of the document that programs get. */
import type { DatasetsDocument, ErrorDocument } from '../../../build/format/documents.ts';
import { type NamedDataset, NOT_FOUND_STYLE, renderNotFound } from '../../../build/format/not-found-page.ts';
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { nearDatasets, wordsOf } from '../../query/near-datasets.ts';
import { type Answer, bodyAnswer } from '../answer.ts';
import type { Tree } from '../catalog.ts';
import type { Exchange } from '../exchange.ts';
import { readListed } from '../files/proof.ts';
import { sha256 } from '../files/sha256.ts';
import { errorHeaders, pagePolicy, TYPES } from './headers.ts';

/** The page if the reader takes HTML and nothing is published at the address; else the answer as it is. */
export async function forPeople(exchange: Exchange, answer: Answer): Promise<Answer> {
  const { catalog, tree, incoming } = exchange;
  const isAbsent = answer.status === 404 || answer.status === 410;
  const html = incoming.header('accept')?.toLowerCase().includes('text/html') === true;
  if (!isAbsent) return answer;
  if (!html || !(answer.body instanceof Uint8Array))
    return { ...answer, headers: { ...answer.headers, Vary: 'Accept' } };
  const { detail } = JSON.parse(new TextDecoder().decode(answer.body)) as ErrorDocument;
  const { service, datasets } = await readList(exchange);
  const words = wordsOf(incoming.path);
  const checksums = await catalog.checksums(tree);
  const page = renderNotFound({
    service,
    sample: tree.manifest.sample === true,
    root: `${incoming.root}/`,
    said: detail,
    near: nearDatasets(words, datasets),
    words: words.join(' '),
    datasets,
    hasPages: checksums === null || checksums.get(PAGES.search) !== undefined,
    policy: await stylePolicy(),
    script: null,
  });
  const headers = { 'Content-Type': TYPES['html']!, Vary: 'Accept', ...pagePolicy('.html') };
  return bodyAnswer(answer.status, { ...answer.headers, ...errorHeaders(headers) }, page);
}

interface DatasetList {
  readonly service: string;
  /** Sorted by key. */
  readonly datasets: readonly NamedDataset[];
}

/** Read once for each release. */
const LISTS = new WeakMap<Tree, DatasetList>();

async function readList({ files, tree }: Exchange): Promise<DatasetList> {
  const known = LISTS.get(tree);
  if (known) return known;
  const read = async <Document>(path: string) => {
    const entry = tree.files.get(path);
    if (!entry) return null;
    const bytes = await readListed(files, { path, entry }, { start: 0, end: entry.bytes });
    return JSON.parse(new TextDecoder().decode(bytes)) as Document;
  };
  const [list, about] = await Promise.all([
    read<DatasetsDocument>(ROOT.datasets),
    read<{ readonly service: string }>(ROOT.service),
  ]);
  const titles = new Map((list?.datasets ?? []).map(one => [`${one.main_topic}/${one.topic}`, one.title]));
  const datasets = tree.manifest.datasets.map(({ key }) => ({ key, title: titles.get(key) ?? key }));
  const found = { service: about?.service ?? 'This service', datasets };
  LISTS.set(tree, found);
  return found;
}

/** The page loads nothing; its style is named by its hash. */
async function stylePolicy(): Promise<string> {
  const digits = await sha256(new TextEncoder().encode(NOT_FOUND_STYLE));
  const bytes = digits.match(/../g)!.map(pair => Number.parseInt(pair, 16));
  const hash = btoa(String.fromCharCode(...bytes));
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'`;
}
