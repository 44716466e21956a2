/** Every row of our datasets can be asked for its history. */
import { expect, test } from 'vitest';
import { openSampleTree } from './sample-questions.ts';

type Row = Readonly<Record<string, unknown>>;

/** The first and the last year of each level of the tree: by rows that differ in which columns of their key are NULL. */
const { ask, subjects } = await openSampleTree();
const questions = subjects.flatMap(({ key, table }) => {
  const names = table.order.map(position => table.columns[position]!.name).filter(name => name !== 'year');
  return [...table.levels.values()].flatMap(({ name, years }) =>
    [...new Set([years[0]!, years.at(-1)!])].map(year => ({
      level: `${key}?detail=${name}&year=${year}`,
      year,
      names,
    })),
  );
});

test('rows with NULL in their key have a history', async () => {
  let partial = 0;
  const wrong: string[] = [];
  for (const { level, names } of questions) {
    let isPartial = false;
    for (const row of oneOfEachKind((await ask(`${level}&limit=1000`)).body.data, names)) {
      const given = names.filter(name => row[name] !== null);
      isPartial ||= given.length < names.length;
      const own = given.map(name => `&${name}=${encodeURIComponent(String(row[name]))}`).join('');
      const { body } = await ask(`${level}&history=true${own}`);
      if (JSON.stringify(body.history?.at(-1).row) !== JSON.stringify(row)) wrong.push(level + own);
    }
    if (isPartial) partial++;
  }
  expect(wrong).toEqual([]);
  expect(new Set(questions.map(({ level }) => level.replace(/&year=.*/, ''))).size).toBe(68);
  expect(partial).toBeGreaterThan(50);
});

function oneOfEachKind(rows: readonly Row[], names: readonly string[]): readonly Row[] {
  return [...new Map(rows.map(row => [names.map(name => row[name] === null).join(), row])).values()];
}
