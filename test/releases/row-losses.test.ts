/** Every lost row is reported, and losing many needs the contract's consent. */
import { expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import type { Erratum } from '../../build/format/documents.ts';
import { type CountedSlice, rowLosses } from '../../build/releases/row-losses.ts';
import { CONTRACTS } from '../publishers/weather.ts';

const DATE = '2031-06-01';
const files = Object.entries(CONTRACTS).map(([file, text]) => ({ file, text }));
const rainfall = parseContracts(files).contracts.datasets.find(one => one.topic === 'rainfall');

const slice = (text: string): CountedSlice => {
  const [year = '', detail = '', rows = ''] = text.split(' ');
  return { year: Number(year), detail, rows: Number(rows) };
};
const erratum = (years: readonly number[], levels: readonly string[] = []): Erratum => ({
  ...{ date: DATE, wrong: 'w', corrected: 'c', releases: [], columns: [], years, levels },
});

interface Case {
  readonly now: readonly string[];
  readonly limit?: number;
  readonly version?: string;
  readonly errata?: readonly Erratum[];
}

const BEFORE = ['2021 stations 1039', '2021 regions 10', '2022 stations 1000'];
const SHORT = { now: ['2021 stations 540', '2021 regions 10', '2022 stations 1000'] };
const COUNTS = '2021 stations: 1,039 → 540 (−48.0 %)';

test.each<readonly [string, Case, RegExp | null]>([
  ['as many rows', { now: BEFORE }, null],
  ['more rows', { now: ['2021 stations 1040', '2021 regions 11', '2022 stations 1001'] }, null],
  ['one row of many', { now: ['2022 stations 999'] }, /^warning .*2022 stations: 1,000 → 999 \(−0\.1 %\)\.$/],
  ['exactly the limit', { now: ['2022 stations 900'] }, /^warning /],
  ['a row more than the limit', { now: ['2022 stations 899'] }, /^error .*1,000 → 899 \(−10\.1 %\)/],
  ['half a year', SHORT, new RegExp(`^error .*${COUNTS.replace(/[().]/g, '\\$&')}`)],
  [
    'half a year, and little of another',
    { now: ['2021 stations 540', '2022 stations 990'] },
    /^error (?!.*990)/,
  ],
  ['half a year, and the contract says so', { ...SHORT, errata: [erratum([2021])] }, /^warning /],
  ['… of another year', { ...SHORT, errata: [erratum([2022])] }, /^error /],
  ['… of another level', { ...SHORT, errata: [erratum([2021], ['regions'])] }, /^error /],
  ['half a year within the limit', { ...SHORT, limit: 50 }, /^warning /],
  ['a row, and none may go', { now: ['2022 stations 999'], limit: 0 }, /^error /],
  ['half a year, under a major version', { ...SHORT, version: '2.0.0' }, /^warning /],
  ['half a year, under a minor version', { ...SHORT, version: '1.3.0' }, /^error /],
  [
    'rows that moved',
    { now: ['2021 stations 539', '2022 stations 1500'] },
    /rows may have moved: 2022 stations: 1,000 → 1,500\./,
  ],
  [
    'what to do',
    SHORT,
    /add - \{ property: errata, value: \[\{ date: 2031-06-01, wrong: "…", corrected: "…", years: \[2021\], levels: \[stations\] \}\] \}.* \{ property: row_loss_limit, value: 49 \}$/,
  ],
])('%s', (_, { now, limit = null, version = '1.2.0', errata = [] }, said) => {
  const found = rowLosses({
    dataset: { ...rainfall!, version, rowLossLimit: limit },
    slices: now.map(slice),
    before: { version: '1.2.0', slices: BEFORE.map(slice) },
    release: 'R',
    newErrata: errata,
    date: DATE,
  });
  const text = found.map(one => `${one.severity} ${one.message}`).join('\n');
  if (said === null) expect(text).toBe('');
  else expect(text).toMatch(said);
});
