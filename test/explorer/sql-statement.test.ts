import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExploredDataset } from '../../site/explorer/view/dataset.ts';
import { ALL_YEARS, startState } from '../../site/explorer/view/question.ts';
import { writeStatement } from '../../site/explorer/view/sql-statement.ts';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { buildExplored, readExplored } from './explored-tree.ts';
import { UNEVEN_CONTRACTS, UNEVEN_LAKE } from './uneven-weather.ts';

let publisher: PublisherFolder;
let rain: ExploredDataset;
beforeAll(async () => {
  publisher = await buildExplored(UNEVEN_CONTRACTS, UNEVEN_LAKE);
  rain = await readExplored(publisher.out, 'climate/rainfall');
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

test('a view becomes a statement of the same rows', () => {
  const { question } = startState(rain);
  const text = writeStatement(rain, { ...question, years: { min: 2021, max: 2023 } }) ?? '';
  expect(text).toContain('FROM "climate"."rainfall"');
  expect(text).toContain(`detail = '${question.detail}'`);
  expect(text).toContain('>= 2021');
  expect(text).toContain('<= 2023');
  expect(text).toMatch(/ORDER BY "/);
  const all = writeStatement(rain, { ...question, years: ALL_YEARS, filters: new Map() }) ?? '';
  expect(all).not.toMatch(/[<>]=/);
});

test('what is chosen is quoted', () => {
  const { question } = startState(rain);
  const field = rain.fields.find(({ type, source }) => type === 'string' && source !== 'dimension_attribute');
  const filters = new Map([[field?.param ?? '', ["x' OR '1'='1"]]]);
  const text = writeStatement(rain, { ...question, filters });
  expect(field).toBeDefined();
  // The API refuses a value that is not in an enforced list, and there is no statement then.
  expect(text ?? '').not.toContain("'x' OR");
});
