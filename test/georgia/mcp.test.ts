/** A language model's questions about our datasets, and how many calls they take. */
import { expect, test } from 'vitest';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { overStdio } from '../mcp/client.ts';

const folders = useSampleTree();

test('the graduation rate of a district in the newest year, against the state: two calls', async () => {
  const { ask } = await overStdio(folders.tree);
  const { said: found } = await ask('search', { words: 'graduation rate of Sample District 643' });
  const [{ dataset }, [{ code }]] = [found.datasets[0], found.places];
  const { said } = await ask('figure', { dataset, place: code, compare: 'state' });
  expect(said).toMatchObject({
    ...{ dataset: 'education/ccrpi_graduation_rate', measure: 'graduation_rate', unit: 'proportion' },
    ...{ place: 'Sample District 643', kind: 'school district', year: 2025, sample: true },
    about: { demographic: 'all', rate_type: '4_year' },
    compared_with: { place: 'Georgia', year: 2025, about: { demographic: 'all', rate_type: '4_year' } },
    ...{
      license: 'ODC-By-1.0',
      attribution: 'State of Georgia',
      null_means: expect.stringContaining('Withheld'),
    },
  });
  expect([typeof said.value, typeof said.compared_with.value]).toEqual(['number', 'number']);
});

test('a figure has its margin, and an axis without a total is asked about', async () => {
  const { ask } = await overStdio(folders.tree);
  const { said } = await ask('figure', { dataset: 'census/employment' });
  expect(said.margin).toBeGreaterThan(0);
  const open = await ask('figure', { dataset: 'education/ccrpi_scoring_by_component' });
  expect(open).toEqual({
    isError: true,
    said: expect.stringContaining('grade_cluster: elementary, high, middle'),
  });
});
