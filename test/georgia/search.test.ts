import { expect, test } from 'vitest';
import { openSearch } from '../../site/explorer/app/tree-search.ts';
import { readDocuments } from '../../site/explorer/pages/documents.ts';
import { deriveSearchDocument } from '../../site/explorer/pages/search-index.ts';
import { stagedSource } from '../explorer/staged-source.ts';
import { sampleTree } from './specification/sample.ts';

const tree = await sampleTree();
const search = openSearch(await deriveSearchDocument(await readDocuments(stagedSource(tree))));

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
  const [first] = search.ask(text).datasets;
  expect(first?.dataset.key).toBe(key);
  expect(first?.view?.query ?? '').toContain(query);
});

test('a view of a school names its district, since names of schools repeat', () => {
  const [first] = search.ask('graduation rate high school 0104 601').datasets;
  expect(first?.view?.words).toBe('Graduation rate · Sample High School 0104, Sample District 601');
});
