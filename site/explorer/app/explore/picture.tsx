/** Saves a drawing as a file, with its title, notes, source and sample notice. */

import { type ComponentChild, render } from 'preact';
import { t } from '../../messages/messages.ts';
import { COLORS, fixColors } from '../../panel/picture-parts.tsx';
import type { DrawnView } from '../../panel/pictures.ts';
import { saveFile } from '../../panel/save-bar.tsx';
import { textOfSentence } from '../../view/sentence.ts';
import { describeSource, metricName, wrapText } from '../../view/wording.ts';

const SIDE = 20;
const LINE = 18;
const PNG_SCALE = 2;

const WIDTH = 900;

/** Nothing is read off, and nothing linked. */
const ALONE = { at: null, onAt: () => undefined, addressOf: () => null, isLinked: false };

export async function saveDrawing(drawn: DrawnView, kind: 'svg' | 'png', name: string): Promise<void> {
  const host = document.createElement('div');
  const draw = () => drawn.show({ width: WIDTH, id: 'saved', isLive: false, ...ALONE });
  // Only the rendered chart knows its height.
  render(draw(), host);
  const [width, height] = ['width', 'height'].map(side =>
    Number(host.querySelector('svg')?.getAttribute(side)),
  );
  if (!width || !height) throw new Error(t.save.noDrawing);
  render(<SavedPicture drawn={drawn} chart={draw()} width={width} height={height} />, host);
  const svg = host.querySelector('svg')!;
  const text = fixColors(new XMLSerializer().serializeToString(svg));
  const file = new Blob([`<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`], { type: 'image/svg+xml' });
  saveFile(kind === 'svg' ? file : await rasterize(file, svg), `${name}.${kind}`);
}

interface SavedPictureProps {
  readonly drawn: DrawnView;
  readonly chart: ComponentChild;
  /** Of the chart. */
  readonly width: number;
  readonly height: number;
}

function SavedPicture({ drawn: { drawing, sentence }, chart, width, height }: SavedPictureProps) {
  const { state, metric } = drawing;
  const { schema, manifest } = state.dataset;
  const most = Math.floor(width / 7.2);
  // For bold letters of 18 pixels.
  const title = wrapText(drawing.title, Math.floor(width / 10.8));
  const subtitle = wrapText(`${schema.title} · ${metricName(metric)}`, most);
  const below = [
    ...(manifest.sample ? [t.frame.sample] : []),
    ...drawing.notes,
    describeSource(state.dataset),
  ].flatMap(note => wrapText(note, most));
  const [titleEnd, top] = [SIDE + title.length * 25, SIDE + title.length * 25 + subtitle.length * 20];
  const size = [width + 2 * SIDE, top + height + 16 + below.length * LINE + SIDE];
  const text = (line: string, y: number, size: number, fill: string, weight?: number) => (
    <text x={SIDE} y={y} font-size={size} font-weight={weight} fill={fill}>
      {line}
    </text>
  );
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size[0]}
      height={size[1]}
      viewBox={`0 0 ${size.join(' ')}`}
      font-family="system-ui, sans-serif"
      role="img"
    >
      <title>{drawing.title}</title>
      <desc>{textOfSentence(sentence)}</desc>
      <rect width={size[0]} height={size[1]} fill={COLORS.paper} />
      {title.map((line, i) => text(line, SIDE + 18 + 25 * i, 18, COLORS.ink, 600))}
      {subtitle.map((line, i) => text(line, titleEnd + 13 + 20 * i, 13, COLORS.soft))}
      <g transform={`translate(${SIDE},${top})`}>{chart}</g>
      {below.map((line, i) => text(line, top + height + 16 + LINE * (i + 1), 12, COLORS.soft))}
    </svg>
  );
}

async function rasterize(file: Blob, svg: SVGSVGElement): Promise<Blob> {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Number(svg.getAttribute('width')) * PNG_SCALE;
    canvas.height = Number(svg.getAttribute('height')) * PNG_SCALE;
    const context = canvas.getContext('2d');
    if (!context) throw new Error(t.save.noPng);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/png'));
    if (!png) throw new Error(t.save.noPng);
    return png;
  } finally {
    URL.revokeObjectURL(address);
  }
}
