/** The picture of a dataset for link previews: its title, key figure and line. */
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { t } from '../messages/messages.ts';
import { LIGHT } from '../panel/picture-parts.tsx';
import { Curve } from '../view/curve.tsx';
import type { ExploredDataset } from '../view/dataset.ts';
import { wrapText } from '../view/wording.ts';
import type { Headline } from './first-view.ts';
import { PREVIEW_SIZE } from './layout.tsx';

const { width: WIDTH, height: HEIGHT } = PREVIEW_SIZE;
const SIDE = 64;
const ROOM = WIDTH - 2 * SIDE;
const BLUE = LIGHT['series-1'];

export interface PreviewInput {
  readonly service: string;
  readonly sample: boolean;
  readonly explored: ExploredDataset;
  readonly headline: Headline | null;
}

export function drawPreview({ service, sample, explored, headline }: PreviewInput): string {
  const title = fitText(explored.schema.title, 56, 2);
  const [name] = fitText(headline?.name ?? '', 30);
  const below = 124 + 66 * Math.max(1, title.length);
  const markup = renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={WIDTH} height={HEIGHT} font-family="DejaVu Sans">
      <title>{clean(explored.schema.title)}</title>
      <rect width={WIDTH} height={HEIGHT} fill={LIGHT.paper} />
      <rect width={WIDTH} height="12" fill={BLUE} />
      <text x={SIDE} y="76" font-size="28" fill={LIGHT.soft}>
        {fitText(service, 28)[0]}
      </text>
      {title.map((row, i) => (
        <text key={row} x={SIDE} y={150 + 66 * i} font-size="56" font-weight="bold" fill={LIGHT.ink}>
          {row}
        </text>
      ))}
      {headline && (
        <>
          <text x={SIDE} y={below + 20} font-size="30" fill={LIGHT.ink}>
            {name}
          </text>
          <text x={SIDE} y={below + 104} font-size="76" font-weight="bold" fill={BLUE}>
            {headline.figure}
          </text>
          <LineOf headline={headline} explored={explored} top={below + 140} />
        </>
      )}
      {sample && (
        <>
          <rect y={HEIGHT - 60} width={WIDTH} height="60" fill="#fff4e0" />
          <text x={SIDE} y={HEIGHT - 21} font-size="26" font-weight="bold" fill="#8a4b00">
            {fitText(t.frame.sample, 26)[0]}
          </text>
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
  readonly top: number;
}

function LineOf({ headline: { runs }, explored: { timeline }, top }: LineProps) {
  const [first, last] = [runs[0]?.[0], runs.at(-1)?.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const height = HEIGHT - 120 - top;
  return (
    <g transform={`translate(${SIDE},${top})`} fill={BLUE} stroke={BLUE} stroke-width="5">
      <Curve runs={runs} width={ROOM} height={height} dot={7} />
      <g stroke="none" fill={LIGHT.soft} font-size="22">
        <text y={height + 30}>{timeline?.label(first.year)}</text>
        <text x={ROOM} y={height + 30} text-anchor="end">
          {timeline?.label(last.year)}
        </text>
      </g>
    </g>
  );
}

/** Width of a letter as a part of its size: about 0.5 to 0.6, and 0.7 for capitals of the bold font. */
const LETTER = 0.6;

/** The scripts that the fonts have. Others would show boxes. */
const KNOWN = /^[ -\u052f\u0531-\u06ff\u1e00-\u22ff]*$/;

/** At most so many rows, the last one cut. None if the fonts lack a letter. */
function fitText(text: string, size: number, most = 1): string[] {
  const words = clean(text);
  if (!KNOWN.test(words)) return [];
  const rows = wrapText(words, Math.floor(ROOM / (LETTER * size)));
  return rows.length <= most ? rows : [...rows.slice(0, most - 1), `${rows[most - 1]}…`];
}

/** Without control characters, which XML can't hold, and without marks that reorder text. */
function clean(text: string): string {
  return text.replace(/\p{C}/gu, '');
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
