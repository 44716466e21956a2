/** The picture of a dataset for link previews: its title, key figure and line. */
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { t } from '../messages/messages.ts';
import { LIGHT } from '../panel/picture-parts.tsx';
import { Curve } from '../view/curve.tsx';
import type { ExploredDataset } from '../view/dataset.ts';
import { formatNumber, spellUnit } from '../view/format.ts';
import type { Headline } from './first-view.ts';

/** The size that social networks ask for. */
const WIDTH = 1200;
const HEIGHT = 630;
const SIDE = 64;
const ROOM = WIDTH - 2 * SIDE;
const BLUE = LIGHT.series[0]!;

export interface PreviewInput {
  readonly service: string;
  readonly sample: boolean;
  readonly explored: ExploredDataset;
  readonly headline: Headline | null;
}

interface Fonts {
  readonly regular: Font;
  readonly bold: Font;
}

/** Leaves out a text if the font lacks one of its letters: it would show boxes. */
export function drawPreview(input: PreviewInput, fonts: Fonts): string {
  const { service, sample, explored, headline } = input;
  const title = wrap(explored.schema.title, fonts.bold, 56, 2);
  const below = 124 + 66 * Math.max(1, title.length);
  const unit = spellUnit(headline?.unit ?? null);
  const figure = headline ? formatNumber(headline.value, headline.unit) : '';
  const markup = renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={WIDTH} height={HEIGHT} font-family="DejaVu Sans">
      <title>{clean(explored.schema.title)}</title>
      <rect width={WIDTH} height={HEIGHT} fill={LIGHT.paper} />
      <rect width={WIDTH} height="12" fill={BLUE} />
      <Words text={service} font={fonts.regular} size={28} y={76} fill={LIGHT.soft} />
      {title.map((row, i) => (
        <Words key={row} text={row} font={fonts.bold} size={56} y={150 + 66 * i} fill={LIGHT.ink} bold />
      ))}
      <Words text={headline?.name ?? ''} font={fonts.regular} size={30} y={below + 20} fill={LIGHT.ink} />
      <Words text={figure} font={fonts.bold} size={76} y={below + 104} fill={BLUE} bold />
      <Words
        text={figure === '' ? '' : (unit ?? '')}
        font={fonts.regular}
        size={30}
        x={SIDE + (fonts.bold.widthOf(figure, 76) ?? 0) + 18}
        y={below + 104}
        fill={LIGHT.soft}
      />
      {headline && <LineOf headline={headline} explored={explored} font={fonts.regular} top={below + 140} />}
      {sample && (
        <>
          <rect y={HEIGHT - 60} width={WIDTH} height="60" fill="#fff4e0" />
          <Words text={t.frame.sample} font={fonts.bold} size={26} y={HEIGHT - 21} fill="#8a4b00" bold />
        </>
      )}
    </svg>,
  );
  // XML forbids this in a text, HTML allows it.
  return markup.replaceAll(']]>', ']]&gt;');
}

interface LineProps {
  readonly headline: Headline;
  readonly explored: ExploredDataset;
  readonly font: Font;
  readonly top: number;
}

function LineOf({ headline: { runs }, explored: { timeline }, font, top }: LineProps) {
  const [first, last] = [runs[0]?.[0], runs.at(-1)?.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const height = HEIGHT - 120 - top;
  const [from = '', to = ''] = [first, last].map(({ year }) => timeline?.label(year) ?? '');
  return (
    <g transform={`translate(${SIDE},${top})`} fill={BLUE} stroke={BLUE} stroke-width="5">
      <Curve runs={runs} width={ROOM} height={height} dot={7} />
      <g stroke="none">
        <Words text={from} font={font} size={22} x={0} y={height + 30} fill={LIGHT.soft} />
        <Words
          text={to}
          font={font}
          size={22}
          x={ROOM - (font.widthOf(to, 22) ?? 0)}
          y={height + 30}
          fill={LIGHT.soft}
        />
      </g>
    </g>
  );
}

interface WordsProps {
  readonly text: string;
  readonly font: Font;
  readonly size: number;
  readonly x?: number;
  readonly y: number;
  readonly fill: string;
  readonly bold?: boolean;
}

/** One row, cut to the width of the picture. */
function Words({ text, font, size, x = SIDE, y, fill, bold = false }: WordsProps) {
  const row = cut(text, font, size, WIDTH - x);
  if (row === '') return null;
  return (
    <text x={x} y={y} font-size={size} font-weight={bold ? 'bold' : 'normal'} fill={fill}>
      {row}
    </text>
  );
}

/** Empty if the font lacks a letter. */
function cut(text: string, font: Font, size: number, room: number): string {
  const letters = [...clean(text)];
  if (font.widthOf(letters.join(''), size) === null) return '';
  let length = letters.length;
  while (length > 0 && (font.widthOf(`${letters.slice(0, length).join('')}…`, size) ?? 0) > room) length--;
  return length === letters.length || (font.widthOf(letters.join(''), size) ?? 0) <= room
    ? letters.join('')
    : `${letters.slice(0, length).join('').trimEnd()}…`;
}

/** At most so many rows. The last one has all the rest, and is cut later. */
function wrap(text: string, font: Font, size: number, most: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = rows.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && (rows.length === most || (font.widthOf(longer, size) ?? 0) <= ROOM))
      rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

/** Without control characters, which XML can't hold, and without marks that reorder text. */
function clean(text: string): string {
  return text.replace(/\p{C}/gu, '');
}

interface Font {
  /** Pixels at a size; null if the font lacks a letter. */
  widthOf(text: string, size: number): number | null;
}

/** Throws if the bytes aren't a TrueType font with a map of all of Unicode. */
export function readFont(bytes: Uint8Array): Font {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, number>();
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + 16 * i;
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), view.getUint32(at + 8));
  }
  const table = (name: string) => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`The font has no table ${name}.`);
    return at;
  };
  const unitsPerEm = view.getUint16(table('head') + 18);
  const metrics = view.getUint16(table('hhea') + 34);
  const widths = table('hmtx');
  const groups = readGroups(view, table('cmap'));
  const advance = (code: number): number | null => {
    const group = groups.find(([first, last]) => code >= first && code <= last);
    if (group === undefined) return null;
    const glyph = Math.min(group[2] + code - group[0], metrics - 1);
    return view.getUint16(widths + 4 * glyph);
  };
  return {
    widthOf: (text, size) => {
      let sum = 0;
      for (const letter of text) {
        const width = advance(letter.codePointAt(0) ?? 0);
        if (width === null) return null;
        sum += width;
      }
      return (sum * size) / unitsPerEm;
    },
  };
}

/** Ranges of code points: first, last, glyph of the first. */
type Group = readonly [first: number, last: number, glyph: number];

/** The map in format 12, which holds all of Unicode. */
function readGroups(view: DataView, cmap: number): Group[] {
  for (let i = 0; i < view.getUint16(cmap + 2); i++) {
    const at = cmap + view.getUint32(cmap + 8 + 8 * i);
    if (view.getUint16(at) !== 12) continue;
    return Array.from({ length: view.getUint32(at + 12) }, (_, group): Group => {
      const from = at + 16 + 12 * group;
      return [view.getUint32(from), view.getUint32(from + 4), view.getUint32(from + 8)];
    });
  }
  throw new Error('The font has no map of all of Unicode.');
}

interface RasterizerFiles {
  readonly module: Uint8Array<ArrayBuffer>;
  /** TrueType. */
  readonly fonts: readonly Uint8Array[];
}

export type Rasterizer = (svg: string) => Uint8Array;

let started: Promise<void> | undefined;

export async function openRasterizer({ module, fonts }: RasterizerFiles): Promise<Rasterizer> {
  // The library can start only once in a process.
  started ??= initWasm(module);
  await started;
  const font = { fontBuffers: [...fonts], loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' };
  return svg => {
    const drawing = new Resvg(svg, { font });
    try {
      const image = drawing.render();
      try {
        return image.asPng();
      } finally {
        image.free();
      }
    } finally {
      drawing.free();
    }
  };
}
