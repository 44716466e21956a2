/** A map of counties: only the states that the rows are about. */
import { geo, type PlotOptions } from '@observablehq/plot';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'us-atlas/counties-10m.json?url';
import type { MapDrawing } from '../../../view/drawing.ts';
import { formatNumber } from '../../../view/format.ts';
import { niceTicks } from '../../../view/line-path.ts';
import type { Theme } from '../theme.ts';
import { legendMarks } from './map-legend.ts';

type Counties = ReturnType<typeof toCounties>;

let counties: Promise<Counties> | null = null;

/** Shapes of all counties of the United States, read once; a file of this site. */
export function readCounties(): Promise<Counties> {
  counties ??= fetch(new URL(atlas, import.meta.url)).then(async response => {
    if (!response.ok) throw new Error(`The shapes of the map could not be read: ${response.status}.`);
    return toCounties(
      (await response.json()) as Topology<{ counties: GeometryCollection<{ name: string }> }>,
    );
  });
  counties.catch(() => {
    counties = null;
  });
  return counties;
}

function toCounties(topology: Topology<{ counties: GeometryCollection<{ name: string }> }>) {
  return feature(topology, topology.objects.counties).features;
}

const stateOf = (code: string) => code.slice(0, 2);

export function mapOptions(drawing: MapDrawing, all: Counties, width: number, theme: Theme): PlotOptions {
  const { areas, unit } = drawing;
  const states = new Set([...areas.keys()].map(stateOf));
  const shown = all.filter(({ id }) => states.has(stateOf(String(id))));
  if (shown.length === 0) throw new Error('No code of these rows is that of a county on the map.');
  const collection = { type: 'FeatureCollection' as const, features: shown };
  const [west, south, east, north] = bounds(shown);
  const known = [...areas.values()].flatMap(({ value }) => (value === null ? [] : [value]));
  const ticks = niceTicks(Math.min(...known), Math.max(...known));
  const domain: [number, number] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const areaOf = (county: Counties[number]) => areas.get(String(county.id));
  const height = Math.min(720, Math.max(320, width * 0.85));
  return {
    width,
    height,
    marginTop: 64,
    marginBottom: 8,
    projection:
      east - west > 70
        ? { type: 'albers-usa', domain: collection }
        : {
            type: 'conic-equal-area',
            rotate: [-(west + east) / 2, 0],
            parallels: [south + (north - south) / 6, north - (north - south) / 6],
            domain: collection,
          },
    color: { type: 'linear', domain, range: [...theme.ramp], unknown: theme.missing },
    style: { background: 'none' },
    marks: [
      geo(shown, {
        fill: county => areaOf(county)?.value ?? undefined,
        stroke: theme.soft,
        strokeWidth: 0.5,
        title: county => {
          const area = areaOf(county);
          const name = area?.label ?? county.properties?.name ?? '';
          if (area === undefined) return `${name}: no row`;
          return area.value === null
            ? `${name}: not published. ${drawing.nullMeaning}`
            : `${name}: ${formatNumber(area.value, unit)}`;
        },
      }),
      ...legendMarks(domain, unit, theme, width),
    ],
  };
}

/** West, south, east and north in degrees. */
function bounds(features: Counties): [number, number, number, number] {
  let [west, south, east, north] = [180, 90, -180, -90];
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y] = part;
    if (typeof x === 'number' && typeof y === 'number') {
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    } else for (const inner of part) visit(inner);
  };
  for (const { geometry } of features) if ('coordinates' in geometry) visit(geometry.coordinates);
  return [west, south, east, north];
}
