/** Runs in the page: fetches the whole history and filters its rows, as a viewer without a plan does. */
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { BrowserQuestions } from './questions.ts';

type Row = Readonly<Record<string, unknown>>;

async function readFile(address: string): Promise<readonly Row[]> {
  const response = await fetch(address);
  return parquetReadObjects({ file: await response.arrayBuffer(), compressors });
}

/** Returns the place's rows. */
export async function filterWhole(address: string, { place }: BrowserQuestions): Promise<number> {
  const rows = await readFile(address);
  return rows.filter(row => row[place.column] === place.value).length;
}

/** Returns the mean of the metric by year. */
export async function groupWhole(address: string, { year, measure }: BrowserQuestions): Promise<number> {
  const groups = new Map<unknown, { sum: number; count: number }>();
  for (const row of await readFile(address)) {
    const group = groups.get(row[year]) ?? { sum: 0, count: 0 };
    groups.set(row[year], group);
    if (row[measure] === null || row[measure] === undefined) continue;
    group.sum += Number(row[measure]);
    group.count++;
  }
  return groups.size;
}
