/** Saves a drawing as a file with its title, notes, source and sample notice. */

import { render } from 'preact';
import { t } from '../../messages/messages.ts';
import type { Topology } from '../../panel/picture-parts.tsx';
import type { Picture } from '../../panel/pictures.ts';
import type { Drawing } from '../../view/drawing.ts';
import { LIGHT, type Theme } from '../../view/theme.ts';
import { wrapText } from '../../view/wording.ts';
import { saveFile } from './saving.ts';

const SIDE = 20;
const LINE = 18;
const PNG_SCALE = 2;

const WIDTH = 900;

/** `shapes`: those of a map. */
export async function saveDrawing(
  picture: Picture,
  shapes: Topology | null,
  kind: 'svg' | 'png',
  name: string,
): Promise<void> {
  const theme = LIGHT;
  const host = document.createElement('div');
  render(picture.still({ width: WIDTH, theme, id: 'saved', shapes }), host);
  const svg = host.querySelector('svg');
  if (!svg) throw new Error(t.save.noDrawing);
  const { element, width, height } = composePicture(svg, picture.drawing, theme);
  const text = new XMLSerializer().serializeToString(element);
  const file = new Blob([`<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`], { type: 'image/svg+xml' });
  saveFile(kind === 'svg' ? file : await rasterize(file, width, height), `${name}.${kind}`);
}

function composePicture(svg: SVGSVGElement, drawing: Drawing, theme: Theme) {
  const inner = { width: Number(svg.getAttribute('width')), height: Number(svg.getAttribute('height')) };
  const width = inner.width + 2 * SIDE;
  const most = Math.floor(inner.width / 7.2);
  // Bold letters of 18 pixels.
  const mostOfTitle = Math.floor(inner.width / 10.8);
  const above = [
    ...wrapText(drawing.title, mostOfTitle).map(line => ({
      line,
      size: 18,
      fill: theme.ink,
      weight: '600',
    })),
    ...wrapText(drawing.subtitle, most).map(line => ({ line, size: 13, fill: theme.soft, weight: '400' })),
  ];
  const below = [...(drawing.sample ? [t.frame.sample] : []), ...drawing.notes, drawing.source].flatMap(
    note => wrapText(note, most),
  );
  const element = document.createElementNS(SVG, 'svg');
  const top = SIDE + above.reduce((sum, { size }) => sum + size + 7, 0);
  const height = top + inner.height + 16 + below.length * LINE + SIDE;
  const attributes = {
    xmlns: SVG,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': 'system-ui, sans-serif',
    role: 'img',
  };
  for (const [key, value] of Object.entries(attributes))
    if (key !== 'xmlns') element.setAttribute(key, String(value));
  append(element, 'title', {}, drawing.title);
  append(element, 'desc', {}, drawing.summary);
  append(element, 'rect', { width, height, fill: theme.paper });
  let y = SIDE;
  for (const { line, size, fill, weight } of above) {
    y += size + 7;
    append(element, 'text', { x: SIDE, y: y - 7, 'font-size': size, 'font-weight': weight, fill }, line);
  }
  const chart = svg.cloneNode(true) as SVGSVGElement;
  chart.setAttribute('x', String(SIDE));
  chart.setAttribute('y', String(top));
  element.append(chart);
  y = top + inner.height + 16;
  for (const line of below) {
    y += LINE;
    append(element, 'text', { x: SIDE, y, 'font-size': 12, fill: theme.soft }, line);
  }
  return { element, width, height };
}

async function rasterize(file: Blob, width: number, height: number): Promise<Blob> {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * PNG_SCALE;
    canvas.height = height * PNG_SCALE;
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

/** Adds elements to a drawing that the page has already. */
export const SVG = 'http://www.w3.org/2000/svg';

export function append(
  parent: Element,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content?: string,
): void {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (content !== undefined) element.textContent = content;
  parent.append(element);
}
