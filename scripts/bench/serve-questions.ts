/** The questions to each server, as URLs of the sample's datasets. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ValuesDocument } from '../../build/format/documents.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';

export interface Scenario {
  readonly name: string;
  readonly urls: readonly string[];
  /** The stored files with the same answers, if there are such. */
  readonly files: readonly string[] | null;
  /** Fewer connections than usual, for answers that take seconds. */
  readonly connections?: number;
}

const FACTS = '/api/v1/education/attendance';
const SMALL = '/api/v1/census/employment';
const PLACES = 40;

/** What the questions need to know of a tree. */
export const ASKED_FOLDERS = [FACTS, SMALL].flatMap(facts => [facts, facts.replace('/v1/', '/v1/datasets/')]);

/** Questions about every year and about places spread over all, so that no single answer stays cached. */
export async function chooseScenarios(tree: string): Promise<Scenario[]> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(tree, file), 'utf8'));
  const manifest: DatasetManifest = await read(`${FACTS}/manifest.json`);
  const values: ValuesDocument = await read(`${FACTS}/values.json`);
  const years = manifest.slices.filter(slice => slice.detail === 'districts').map(slice => slice.year);
  const schools = manifest.slices.filter(slice => slice.detail === 'schools').at(-1)?.rows ?? 0;
  const districts = spread(valuesOf(values, 'district_code'), PLACES);
  const groups = valuesOf(values, 'demographic');
  const small: DatasetManifest = await read(`${SMALL}/manifest.json`);
  const vintages = small.slices.filter(slice => slice.detail === 'counties').map(slice => slice.year);

  const slice = {
    urls: years.map(year => `${FACTS}?year=${year}&detail=districts`),
    files: years.map(year => `${FACTS}/year=${year}/districts.json`),
  };
  const smallSlice = {
    urls: vintages.map(year => `${SMALL}?year=${year}&detail=counties`),
    files: vintages.map(year => `${SMALL}/year=${year}/counties.json`),
  };
  const offsets = Array.from({ length: PLACES }, (_, i) =>
    Math.floor((i * Math.max(0, schools - 1000)) / PLACES),
  );
  const page = offsets.map(
    (offset, i) => `${FACTS}?year=${years[i % years.length]}&detail=schools&limit=1000&offset=${offset}`,
  );
  const placeYear = districts.map(
    (code, i) => `${FACTS}?year=${years[i % years.length]}&detail=schools&district_code=${code}`,
  );
  const placeYears = districts.map(code => `${FACTS}?detail=districts&district_code=${code}`);
  const axis = years.flatMap(year =>
    groups.slice(0, 4).map(group => `${FACTS}?year=${year}&detail=schools&demographic=${group}`),
  );
  const groupPages = groups.map(group => `${FACTS}?detail=schools&demographic=${group}&limit=1000`);
  const lastPages = groups.map((group, i) => `${groupPages[i]}&offset=${lastPage(manifest, group)}`);
  const scan = groups.slice(0, 4).map(group => `${FACTS}?detail=schools&demographic=${group}&format=csv`);
  const turns = Math.max(slice.urls.length, page.length);
  const mixed = Array.from({ length: turns }, (_, i) =>
    [slice.urls, smallSlice.urls, page, placeYear, placeYears, axis].map(list => list[i % list.length]!),
  ).flat();
  return [
    { name: 'a whole slice', ...slice },
    { name: 'a small slice', ...smallSlice },
    { name: 'a 1,000-row page', urls: page, files: null },
    { name: 'a place, one year', urls: placeYear, files: null },
    { name: 'a place, all years', urls: placeYears, files: null },
    { name: 'an axis, one year', urls: axis, files: null },
    { name: 'a group, first page', urls: groupPages, files: null },
    { name: 'a group, last page', urls: lastPages, files: null },
    { name: 'a large scan', urls: scan, files: null, connections: 2 },
    { name: 'mixed', urls: mixed, files: null },
  ];
}

/** Where the last 1,000 rows of a group begin. */
function lastPage({ copies }: DatasetManifest, group: string): number {
  const rows = copies
    .filter(({ detail, by }) => detail === 'schools' && by[0] === 'demographic')
    .flatMap(({ counted }) => counted?.rows[counted.values.indexOf(group)] ?? [])
    .reduce((sum, count) => sum + count, 0);
  return Math.max(0, rows - 1000);
}

function valuesOf({ columns }: ValuesDocument, param: string): readonly string[] {
  return columns.find(column => column.param === param)?.values.map(one => String(one.value)) ?? [];
}

function spread(list: readonly string[], count: number): string[] {
  return Array.from(
    { length: Math.min(count, list.length) },
    (_, i) => list[Math.floor((i * list.length) / count)]!,
  );
}
