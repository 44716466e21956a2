/** Cuts the atlas to a publisher's places: a TopoJSON file for each dimension of such places. */
import { dimensionShapesPath } from '../../../build/format/paths.ts';
import { areCounties } from '../view/views.ts';
import type { Documents, PageFinding } from './documents.ts';
import { readKeys } from './search-index.ts';

type Pair = readonly [number, number];

/** The parts of a TopoJSON document that the cut reads. */
export interface Atlas {
  readonly type: 'Topology';
  readonly arcs: readonly unknown[];
  /** Present if the arcs are quantized. */
  readonly transform?: { readonly scale: Pair; readonly translate: Pair };
  readonly objects: Readonly<Record<string, { readonly geometries?: readonly Geometry[] }>>;
}

interface Geometry {
  readonly id?: string | number;
  /** Indexes of arcs, nested by kind of geometry; `~i` is arc i backwards. */
  readonly arcs?: unknown;
}

/** Places that a finding names. */
const NAMED = 5;

/**
 * Yields the shapes of each dimension without its own boundaries: all areas of its places' states. Reports the places
 * without a shape.
 */
export async function* renderShapes(
  { dimensions, source }: Documents,
  readAtlas: () => Atlas,
): AsyncGenerator<{ readonly path: string; readonly content: string } | PageFinding> {
  for (const dimension of dimensions) {
    const { domain, schema } = dimension;
    const path = dimensionShapesPath(domain, schema.name);
    if (schema.primary_key.length !== 1 || (await source.readText(path)) !== null) continue;
    const keys = await readKeys(source, dimension);
    if (!areCounties(keys)) continue;
    const isArea = (code: string) => code.length === 5;
    const states = new Set(keys.filter(isArea).map(key => key.slice(0, 2)));
    const cut = cutTopology(readAtlas(), id => isArea(id) && states.has(id.slice(0, 2)));
    if (cut === null) continue;
    yield { path, content: `${JSON.stringify(cut)}\n` };
    const drawn = new Set(Object.values(cut.objects).flatMap(({ geometries = [] }) => geometries.map(idOf)));
    const unmapped = keys.filter(key => !drawn.has(key));
    if (unmapped.length > 0)
      yield {
        code: 'places-not-on-map',
        about: `${domain}/_dimensions/${schema.name}`,
        message: `The map has no shape of ${unmapped.length} of ${keys.length} ${schema.name}: ${listed(unmapped)}. Their rows are in tables and charts. To draw them, bring boundaries: a .geojson file in the lake, of the same name as that of the rows.`,
      };
  }
}

function listed(keys: readonly string[]): string {
  const hint = (key: string) =>
    /^[1-9]\d{3}$/.test(key) ? ` (looks like 0${key} without its leading zero)` : '';
  const named = keys.slice(0, NAMED).map(key => key + hint(key));
  return named.join(', ') + (keys.length > NAMED ? ` and ${keys.length - NAMED} more` : '');
}

const idOf = ({ id }: Geometry) => String(id ?? '');

/** Keeps the wanted geometries and their arcs. Null if there are none. */
export function cutTopology(atlas: Atlas, wanted: (id: string) => boolean): Atlas | null {
  const numbers = new Map<number, number>();
  const renumber = (arcs: unknown): unknown => {
    if (Array.isArray(arcs)) return arcs.map(renumber);
    const arc = Number(arcs);
    const old = arc < 0 ? ~arc : arc;
    const own = numbers.get(old) ?? numbers.size;
    numbers.set(old, own);
    return arc < 0 ? ~own : own;
  };
  const objects = Object.fromEntries(
    Object.entries(atlas.objects).flatMap(([name, object]) => {
      const geometries = (object.geometries ?? [])
        .filter(({ id }) => wanted(String(id ?? '')))
        .map(geometry => ({ ...geometry, arcs: renumber(geometry.arcs) }));
      return geometries.length > 0 ? [[name, { ...object, geometries }]] : [];
    }),
  );
  if (numbers.size === 0) return null;
  return { ...atlas, objects, arcs: [...numbers.keys()].map(old => atlas.arcs[old]) };
}
