import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import type { Budget, Executor } from '../../site/edge/executors/executor.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { makeHandler, THINGS, useTree } from './tree/fixture.ts';
import { matchingRows } from './tree/reference.ts';

const tree = useTree();

describe('what is read', () => {
  test('a place over all years takes one read, and no footer', async () => {
    const { files, handler } = tree.count();
    await tree.ask(`${THINGS}?detail=units&area_code=101&unit_code=u001`, {}, handler);
    const before = files.reads.length;
    const response = await tree.ask(`${THINGS}?detail=units&area_code=150&unit_code=u003`, {}, handler);
    expect(((await response.json()) as { count: number }).count).toBe(
      matchingRows({ detail: 'units', filters: { area_code: ['150'], unit_code: ['u003'] } }).length,
    );
    const reads = files.reads.slice(before);
    expect(reads.map(read => read.path)).toEqual(['api/v1/demo/things/history/units.parquet']);
  });

  test('the first rows of a page take the first bytes of its file', async () => {
    const { files, handler } = tree.count();
    await tree.ask(`${THINGS}?detail=units&year=2023&limit=10`, {}, handler);
    const before = files.reads.length;
    await tree.ask(`${THINGS}?detail=units&year=2023&limit=20`, {}, handler);
    const reads = files.reads.slice(before);
    expect(reads).toHaveLength(1);
    expect(reads[0]!.bytes).toBeLessThan(20_000);
  });

  test('a stored file is not read to be described', async () => {
    const { files, handler } = tree.count();
    await tree.ask(`${THINGS}?year=2022`, { method: 'HEAD' }, handler);
    const before = files.reads.length;
    await tree.ask(`${THINGS}?year=2019`, { method: 'HEAD' }, handler);
    expect(files.reads.length).toBe(before);
  });
});

describe('a question that costs too much', () => {
  test('is refused with the files, the residual and SQL that answers it', async () => {
    const poor = makeHandler(tree.folder, { bytes: 1000, rows: 10 });
    const query = `${THINGS}?detail=units&group=all&area_type=city&year_min=2020&format=csv`;
    const response = await tree.ask(query, {}, poor);
    expect(response.status).toBe(501);
    const body = (await response.json()) as {
      detail: string;
      files: { path: string }[];
      residual: unknown;
      sql: string;
    };
    expect(body.detail).toMatch(/costs more/);
    expect(body.files.map(file => file.path)).toEqual(
      // One file has 2019 and 2020, the other 2022 and 2023.
      [2019, 2022].map(year => `${THINGS}/history/units.group.${year}.parquet`),
    );
    expect(body.residual).toEqual({
      filters: { area_type: ['city'], group: ['all'], year: ['2020', '2022', '2023'] },
      sort: false,
      offset: 0,
      limit: null,
    });
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(body.sql.replaceAll('http://edge.test', tree.folder));
    const wanted = matchingRows({
      detail: 'units',
      year_min: 2020,
      filters: { group: ['all'], area_type: ['city'] },
    });
    expect(
      reader.getRowsJS().map(row => row.map(value => (typeof value === 'bigint' ? Number(value) : value))),
    ).toEqual(wanted.map(row => [...row]));
  });

  test('as a page of JSON it is tried, and refused when it turns out so', async () => {
    const poor = makeHandler(tree.folder, { bytes: 200_000, rows: 100 });
    expect((await tree.ask(`${THINGS}?detail=units&group=all&limit=10`, {}, poor)).status).toBe(200);
    expect(
      (
        await tree.ask(
          `${THINGS}?detail=units&group=all&area_type=city&offset=20000&limit=10`,
          {},
          makeHandler(tree.folder, { bytes: 1000, rows: 9 }),
        )
      ).status,
    ).toBe(501);
  });

  test('a page of one value is a page of one file, wherever it stands', async () => {
    const all = matchingRows({ detail: 'units', filters: { group: ['all'] } }).length;
    for (const offset of [0, all - 15, all + 5]) {
      const { files, handler } = tree.count();
      await tree.ask(`${THINGS}?detail=units`, { method: 'HEAD' }, handler);
      const before = files.reads.length;
      const response = await tree.ask(
        `${THINGS}?detail=units&group=all&limit=10&offset=${offset}`,
        {},
        handler,
      );
      const { total, data } = (await response.json()) as { total: number; data: object[] };
      expect([total, data.length]).toEqual([all, offset > all ? 0 : 10]);
      const reads = files.reads.slice(before).filter(read => read.path.includes('/history/'));
      expect(reads).toHaveLength(offset > all ? 0 : 1);
    }
  });

  test('rows to be sorted count too', async () => {
    const poor = makeHandler(tree.folder, { bytes: 1 << 30, rows: 3 });
    expect((await tree.ask(`${THINGS}?detail=units&area_code=150`, {}, poor)).status).toBe(501);
  });
});

describe('of two executors', () => {
  const asked: string[] = [];
  const named = (name: string, budget: Budget): Executor => {
    const { scan } = createHyparquetExecutor(budget);
    return {
      name,
      budget,
      scan: (...args) => {
        asked.push(name);
        return scan(...args);
      },
    };
  };
  const handler = () =>
    createHandler(createFolderFiles(tree.folder), {
      executors: [
        named('first', { bytes: 1 << 20, passed: 10_000, rows: 100_000 }),
        named('second', { bytes: 1 << 30, rows: 100_000 }),
      ],
    });

  test.each([
    ['group=all&format=csv', 'first'],
    ['group=all&limit=10000', 'first'],
    ['group=all&area_type=city&format=csv', 'second'],
    ['area_type=city&format=csv', 'second'],
  ])('%s goes to the %s: who passes over many rows is not who gives many', async (query, name) => {
    asked.length = 0;
    const response = await tree.ask(`${THINGS}?detail=units&${query}`, {}, handler());
    await response.text();
    expect([response.status, asked]).toEqual([200, [name]]);
  });
});

describe('a reader who hangs up', () => {
  test('before the answer', async () => {
    await expect(tree.ask(`${THINGS}?group=all`, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test('in the middle of a stream', async () => {
    const { files, handler } = tree.count();
    const response = await tree.ask(`${THINGS}?detail=units&step=1,2&format=csv`, {}, handler);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    const reads = files.reads.length;
    await new Promise(done => setTimeout(done, 50));
    expect(files.reads.length).toBe(reads);
  });
});
