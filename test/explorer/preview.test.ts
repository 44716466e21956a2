/** Pictures for link previews: drawn in a build, the same on every machine, and only where something changed. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markPicture, readPictureMark } from '../../build/format/picture-mark.ts';
import { drawPreview } from '../../site/explorer/preview/drawing.tsx';
import { readFont } from '../../site/explorer/preview/font.ts';
import { openRasterizer, type Rasterizer } from '../../site/explorer/preview/rasterizer.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import {
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';
import { openPages, readExplored, weatherPages } from './explored-tree.ts';

const BASE = 'https://data.example.org/weather/';
const RAIN = 'datasets/climate/rainfall/';
const PICTURES = [`${RAIN}preview.png`, 'datasets/transit/trams/preview.png'];

let publisher: PublisherFolder;
let rasterize: Rasterizer;
const bundled = async (name: string) =>
  new Uint8Array(gunzipSync(await readFile(path.join(import.meta.dirname, '../../lib/bin', name))));
const fontBytes = () => Promise.all(['preview-regular.ttf.gz', 'preview-bold.ttf.gz'].map(bundled));

beforeAll(async () => {
  publisher = await copyPublisher(await weatherPages(), await temporaryFolder('never'));
  await buildPublisher(publisher, { baseUrl: BASE, pages: openPages() });
  const module = await readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'));
  rasterize = await openRasterizer({ module: new Uint8Array(module), fonts: await fontBytes() });
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

const at = (name: string) => path.join(publisher.out, name);
const identities = () =>
  Promise.all(PICTURES.map(async name => [(await stat(at(name))).ino, await readFile(at(name), 'base64')]));

test('each dataset has a picture of 1200 by 630, which its page names by its whole address', async () => {
  for (const name of PICTURES) {
    const png = await readFile(at(name));
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'PNG',
      1200,
      630,
    ]);
    expect(png.length).toBeLessThan(100_000);
  }
  const page = await readFile(at(`${RAIN}index.html`), 'utf8');
  expect(page).toContain(`<meta property="og:image" content="${BASE}${RAIN}preview.png"`);
  expect(page).toContain('<meta name="twitter:card" content="summary_large_image"');
  expect(await readFile(at('index.html'), 'utf8')).not.toContain('og:image');
});

test('a picture is drawn again only for what changed, or where the one in place is damaged', async () => {
  const before = await identities();
  await writeRows(publisher.data, {
    [rainFile(2022, 'nation')]:
      `SELECT * REPLACE (rain_mm + 50 AS rain_mm) FROM (${rainfallRows(2022, 'nation')})`,
  });
  await buildPublisher(publisher, { baseUrl: BASE, pages: openPages() });
  const after = await identities();
  expect(after[0]).not.toEqual(before[0]);
  expect(after[1]).toEqual(before[1]);
  const damaged = await readFile(at(PICTURES[1]!));
  damaged[damaged.length - 20]! ^= 1;
  await rm(at(PICTURES[1]!));
  await writeFile(at(PICTURES[1]!), damaged);
  await writeRows(publisher.data, { [rainFile(2022, 'nation')]: rainfallRows(2022, 'nation') });
  await buildPublisher(publisher, { baseUrl: BASE, pages: openPages() });
  const [first, second] = await identities();
  expect([first?.[1], second?.[1]]).toEqual([before[0]?.[1], before[1]?.[1]]);
  await buildPublisher(publisher, { pages: openPages() });
  expect(existsSync(at(PICTURES[0]!))).toBe(false);
  expect(await readFile(at(`${RAIN}index.html`), 'utf8')).not.toContain('og:image');
});

test('the bytes are the same on every machine', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100" font-family="DejaVu Sans"><text x="9" y="60" font-size="40" fill="#0b5394">Rain Дождь Βροχή 23.4%</text><path d="M0,90L200,70L400,95" stroke="#b3470b" stroke-width="3" fill="none"/></svg>';
  expect(createHash('sha256').update(rasterize(svg)).digest('hex')).toBe(
    '17a2e0c57b37bef279e3e3627b0e5f957f4e4be413601b76dc6ec4b24fa9413a',
  );
});

test('a text that the fonts lack letters for is left out, hostile text stays text', async () => {
  const [regular, bold] = (await fontBytes()).map(readFont);
  const fonts = { regular: regular!, bold: bold! };
  const explored = await readExplored(publisher.out, 'climate/rainfall');
  const draw = (title: string) =>
    drawPreview(
      {
        service: 'Дождь & Βροχή',
        sample: true,
        explored: { ...explored, schema: { ...explored.schema, title } },
        headline: null,
      },
      fonts,
    );
  const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
  expect(textsOf(draw('雨 in 東京'))).toEqual(['Дождь &amp; Βροχή', expect.stringContaining('Synthetic')]);
  const long = textsOf(draw(`Rain ${'of a very long season '.repeat(9)}`));
  expect(long).toHaveLength(4);
  expect(long[2]).toMatch(/…$/);
  const hostile = draw('<image href="file:///etc/passwd"/>&"]]>\u0000');
  expect(hostile).not.toContain('<image');
  expect(rasterize(hostile).length).toBeGreaterThan(1000);
});

test('the mark of a picture is read back, and the picture stays a picture', () => {
  const png = rasterize('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
  const source = createHash('sha256').update('x').digest('hex');
  const marked = markPicture(png, source);
  expect([readPictureMark(png), readPictureMark(marked), readPictureMark(new Uint8Array(5))]).toEqual([
    null,
    source,
    null,
  ]);
  // What was there is there still, around the mark.
  expect(Buffer.from(marked.subarray(0, 33)).equals(Buffer.from(png.subarray(0, 33)))).toBe(true);
  expect(Buffer.from(marked.subarray(-(png.length - 33))).equals(Buffer.from(png.subarray(33)))).toBe(true);
});
