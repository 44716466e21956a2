/** What readers of our datasets find, and with which figures the page of each opens. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../../site/explorer/pages/documents.ts';
import { deriveSearchDocument } from '../../site/explorer/pages/search-index.ts';
import { type Found, openSearch } from '../../site/explorer/view/tree-search.ts';
import { stagedSource } from '../explorer/explored-tree.ts';
import { sampleTree } from '../conformance/sample-tree.ts';

const tree = await sampleTree();
const openTree = async (source: ReturnType<typeof stagedSource>) =>
  openSearch(await deriveSearchDocument(await readDocuments(source)), groups => `by ${groups}`);
const source = stagedSource(tree);
const { datasets } = await readDocuments(source);
const search = await openTree(source);

const datasetsOf = (found: readonly Found[]) => found.flatMap(one => (one.kind === 'dataset' ? [one] : []));

test.each([
  ['chronic absence', 'education/attendance', ''],
  ['absense', 'education/attendance', ''],
  ['povrety', 'census/poverty_by_nativity', ''],
  ['teacher pay', 'education/salaries_and_benefits', ''],
  ['graduation rates by race', 'education/graduation_rate_4_year_cohort', 'detail=states&demographic='],
  ['ICE arrests 2025', 'immigration/ice_arrests', 'year=2025'],
  ['unemployment in sample county 059', 'census/employment', 'detail=counties&county_fips=13059&view=chart'],
  ['dropout', 'education/graduation_rate_4_year_cohort', ''],
  ['deportations to mexico', 'immigration/ice_removals', 'detail=states&citizenship_country=mexico'],
  ['foreign born poverty', 'census/poverty_by_nativity', 'detail=states&citizenship_status=foreign_born'],
])('"%s" leads to %s', (text, key, query) => {
  const [first] = datasetsOf(search.ask(text).found);
  expect(first?.dataset.key).toBe(key);
  expect(first?.view?.query ?? '').toContain(query);
});

test('a view of a school names its district, since names of schools repeat', () => {
  const [first] = datasetsOf(search.ask('graduation rate high school 0104 601').found);
  expect(first?.view?.words).toBe('Graduation rate · Sample High School 0104, Sample District 601');
});

const readOwn = (name: string) => readFile(path.join(import.meta.dirname, name), 'utf8');

/** The sample's places have invented names; the published names in this file replace them. */
const places = JSON.parse(await readOwn('place-names.json'));
const named = await openTree({
  ...source,
  readText: async file => {
    const [, name = ''] = /_dimensions\/(\w+)\/rows\.json$/.exec(file) ?? [];
    return name in places ? JSON.stringify({ data: places[name] }) : source.readText(file);
  },
});

/** What a result is, in the words of the list of searches. */
function meaningsOf(found: Found): string[] {
  switch (found.kind) {
    case 'place':
      return [`${found.place.dimension.name} ${found.place.name}`];
    case 'withdrawn':
      return [];
    case 'dataset': {
      const chosen = [...new URLSearchParams(found.view?.query ?? '').values()];
      return [found.dataset.key, ...chosen.flatMap(one => one.split(',')).map(one => `group ${one}`)];
    }
    default:
      return found satisfies never;
  }
}

test('at least 37 of 40 plain searches find what they mean in the first three results', async () => {
  const lines = (await readOwn('plain-searches.txt')).match(/^[^#\n].*$/gm) ?? [];
  expect(lines).toHaveLength(40);
  const searches = lines.map(line => line.split(' | ') as [string, ...string[]]);
  const missed = searches.filter(([text, ...means]) => {
    const found = named.ask(text).found.slice(0, 3).flatMap(meaningsOf);
    return !means.some(one => (one === 'nothing' ? found.length === 0 : found.includes(one)));
  });
  expect(missed.length, missed.map(([text]) => text).join(', ')).toBeLessThanOrEqual(3);
});

describe('the first view', () => {
  test.each(datasets.map(one => [one.key, one] as const))('of %s draws figures', (_, { explored, first }) => {
    const { state, drawn } = first;
    if (explored.metrics.length === 0) return expect(state.view).toBe('table');
    expect(drawn?.drawing.figures.filter(({ value }) => value !== null)).not.toEqual([]);
    expect(drawn?.drawing.empty).toBe(false);
  });

  test('answers every question of the contracts, since the sample has all rows', () => {
    expect(datasets.flatMap(({ schema }) => schema.questions ?? [])).not.toEqual([]);
    expect(datasets.flatMap(({ unanswered }) => unanswered)).toEqual([]);
  });
});
