/** How other sites embed a dataset's page: oEmbed documents as files, adapted by an edge, and cards. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { OEmbedDocument } from '../../build/format/o-embed.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { keptPaged, openPages } from '../publishers/kept-trees.ts';
import type { Publisher } from '../publishers/publisher-folder.ts';

const BASE = 'https://data.example.org/arcadia/';
const RAIN = 'datasets/climate/rainfall/';

let plain: Publisher;
let addressed: Publisher;
let ask: (query: string) => Promise<Response>;
beforeAll(async () => {
  plain = await keptPaged();
  addressed = await plain.copy();
  await addressed.build({ baseUrl: BASE, pages: openPages() });
  const files = createFolderFiles(addressed.out);
  const handle = createHandler(files, { budget: { bytes: 0, rows: 0 } }, '/arcadia');
  ask = query => handle(new Request(`${BASE}${RAIN}oembed.json${query}`));
});

const read = (name: string, { out } = addressed) => readFile(path.join(out, name), 'utf8');

test('a page leads to its document, which has a frame of its embed page', async () => {
  const [, link = ''] = /<link rel="alternate" type="application\/json\+oembed"[^>]* href="([^"]*)"/.exec(
    await read(`${RAIN}index.html`),
  )!;
  expect(link).toBe(`${BASE}${RAIN}oembed.json`);
  expect(JSON.parse(await read(`${RAIN}oembed.json`))).toEqual({
    ...{ version: '1.0', type: 'rich', title: 'Rainfall', provider_name: 'Weather of Arcadia' },
    ...{ provider_url: BASE, thumbnail_url: `${BASE}${RAIN}preview.png` },
    ...{ thumbnail_width: 1200, thumbnail_height: 630, width: 800, height: 800 },
    html: `<iframe src="${BASE}${RAIN}embed.html" title="Rainfall" width="800" height="800" loading="lazy" style="border: 0"></iframe>`,
  });
  expect(existsSync(path.join(addressed.out, RAIN, 'preview.png'))).toBe(true);
});

test('without an address, a tree has none, and no page leads to one', async () => {
  expect(existsSync(path.join(plain.out, RAIN, 'oembed.json'))).toBe(false);
  expect(await read(`${RAIN}index.html`, plain)).not.toContain('oembed');
});

test('the card of an embed page has the words of its view', async () => {
  const page = await read(`${RAIN}embed.html`);
  const [, title = ''] = /<h1>(.*?)<\/h1>/.exec(page)!;
  expect(title).not.toBe('Rainfall');
  expect(page).toContain(`<meta property="og:title" content="${title} · `);
  expect(page).toContain(`<meta property="og:image" content="${BASE}${RAIN}preview.png"`);
});

test.each<[query: string, status: number, html?: string, width?: number, height?: number]>([
  ['', 200, `embed.html" title`, 800, 800],
  ['?maxwidth=500&maxheight=2000', 200, 'embed.html" title="Rainfall" width="500" height="800"', 500, 800],
  ['?maxwidth=0&maxheight=x', 200, 'embed.html" title', 800, 800],
  [
    `?url=${encodeURIComponent(`${BASE}${RAIN}?view=map&year=2022`)}`,
    200,
    'embed.html?view=map&amp;year=2022"',
    800,
    800,
  ],
  [
    `?url=${encodeURIComponent(`https://x.example/${RAIN}?a="><script>`)}`,
    200,
    'embed.html?a=%22%3E%3Cscript%3E"',
    800,
    800,
  ],
  [`?url=${encodeURIComponent(`${BASE}datasets/transit/trams/`)}`, 404],
  ['?url=no', 404],
  ['?format=xml', 501],
])('an edge answers %s', async (query, status, html = '', width = 0, height = 0) => {
  const response = await ask(query);
  expect(response.status).toBe(status);
  if (status !== 200) return;
  const document = (await response.json()) as OEmbedDocument;
  expect([document.width, document.height]).toEqual([width, height]);
  expect(document.html).toContain(`${BASE}${RAIN}${html}`);
});
