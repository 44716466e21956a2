/** oEmbed documents for the view and the size that another site asks for. */
import { type OEmbedDocument, parseOEmbedPath } from '../../../build/format/o-embed.ts';
import { PAGES } from '../../../build/format/paths.ts';
import { parseReadable } from '../../query/query-string.ts';
import type { Route } from '../../query/route.ts';
import type { Answer, Exchange } from '../answer.ts';
import { readListed } from '../files/proof.ts';
import { refuse } from './refusal.ts';
import { sendText } from './representation.ts';

/** Null if the stored document is the answer, or there is none. */
export async function respondOEmbed(exchange: Exchange, route: Route): Promise<Answer | null> {
  const { files, tree, incoming } = exchange;
  const folder = route.kind === 'file' ? parseOEmbedPath(route.path) : null;
  if (route.kind !== 'file' || folder === null || incoming.query === '') return null;
  const asked = new Map(parseReadable(incoming.query).map(({ name, value }) => [name, value]));
  if ((asked.get('format') ?? 'json') !== 'json') return refuse(501, 'The document is JSON only.');
  const url = asked.get('url');
  const view = url === undefined ? '' : viewOf(url, folder);
  if (view === null) return refuse(404, `${url} isn't the address of the page ${folder}`);
  const { path } = route;
  const [stat, checksums] = [await files.stat(path, incoming.signal), await tree.checksums()];
  const sha256 = checksums?.get(path);
  if (!stat || sha256 === undefined) return null;
  const { bytes } = stat;
  const stored = await readListed(files, { path, bytes, sha256 }, { start: 0, end: bytes }, incoming.signal);
  const document = JSON.parse(new TextDecoder().decode(stored)) as OEmbedDocument;
  const width = atMost(document.width, asked.get('maxwidth'));
  const height = atMost(document.height, asked.get('maxheight'));
  const html = document.html
    .replace(`${PAGES.embed}"`, () => `${PAGES.embed}${view.replaceAll('&', '&amp;')}"`)
    .replace(/ width="\d+" height="\d+"/, ` width="${width}" height="${height}"`);
  return sendText(exchange, path, `${JSON.stringify({ ...document, width, height, html })}\n`);
}

/** The query of a page's address, with its `?`; null if it's the address of another page. */
function viewOf(url: string, folder: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const page = parsed?.pathname.replace(/[^/]*$/, '');
  // Of a query, URL encodes what would end an attribute.
  return parsed !== null && page?.endsWith(`/${folder}`) ? parsed.search : null;
}

function atMost(size: number, asked: string | undefined): number {
  return /^[1-9]\d{0,6}$/.test(asked ?? '') ? Math.min(size, Number(asked)) : size;
}
