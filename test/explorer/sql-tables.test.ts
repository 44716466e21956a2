import { describe, expect, test } from 'vitest';
import type { DuckDb } from '../../site/explorer/engine/duckdb.ts';
import { EngineError } from '../../site/explorer/engine/engine.ts';
import { collectNames, namesOf, SqlTables, spellNames } from '../../site/explorer/engine/sql-tables.ts';
import type { TreeAccess } from '../../site/explorer/engine/tree-reader.ts';
import type { Slice, Table } from '../../site/query/table.ts';

describe('the names of tables', () => {
  const keys = ['a/rain', 'b/rain', 'a/wind', 'a/_dimensions/places', 'b/_dimensions/places'];
  const names = collectNames(keys);

  test('two datasets of one topic have it with their domain only', () => {
    expect(spellNames(names, 'a/rain')).toEqual(['a.rain']);
    expect(spellNames(names, 'a/wind')).toEqual(['wind', 'a.wind']);
    expect(spellNames(names, 'b/_dimensions/places')).toEqual(['b._places']);
    expect(namesOf(names, 'a/_dimensions/places')).toEqual([
      { schema: 'main', name: 'places' },
      { schema: 'a', name: '_places' },
    ]);
  });
});

/** A table with so many million values, in files without row groups. */
function tableOf(millions: number): Table {
  const parquet = { path: '', bytes: 1, starts: [], groupBytes: [] };
  const slice = { year: 2024, rows: (millions * 1e6) / 2, parquet } as unknown as Slice;
  const level = { name: 'all', years: [2024], slices: [slice], copies: [], places: [] };
  const columns = [{ name: 'n', type: 'integer', parquet: 'INT32', from: null }];
  return { kind: 'dataset', columns, levels: new Map([['all', level]]) } as unknown as Table;
}

/** Statements are `read a, b -- c`. The fake DuckDB has the tables that it was given. */
function openTables(sizes: Readonly<Record<string, number>>) {
  const held = new Set<string>();
  const loaded: string[] = [];
  const database = {
    run(statement: string) {
      const [, name = ''] = /TABLE (?:IF EXISTS )?(?:main\.)?"([^"]+)"/.exec(statement) ?? [];
      if (statement.startsWith('CREATE TABLE')) held.add(name);
      if (statement.startsWith('DROP TABLE')) held.delete(name);
    },
    prepare(statement: string) {
      for (const name of statement.replace(/ --.*/, '').replace('read ', '').split(', '))
        if (!held.has(`d/${name}`)) throw new Error(`Table with name ${name} does not exist!`);
    },
  } as unknown as DuckDb;
  const tables = new SqlTables(database, collectNames(Object.keys(sizes).map(name => `d/${name}`)));
  const access = {
    subject: async (key: string) => ({ table: tableOf(sizes[key.slice(2)]!) }),
    expect: () => loaded.push('read'),
  } as unknown as TreeAccess;
  return {
    ask: (statement: string) => tables.load(access, statement, () => undefined).then(() => [...held].sort()),
    held,
    loaded,
  };
}

describe('the tables of statements', () => {
  test('stay until others need their memory', async () => {
    const { ask } = openTables({ a: 8, b: 8, c: 8, d: 12 });
    expect(await ask('read a')).toEqual(['d/a']);
    expect(await ask('read b -- and not c')).toEqual(['d/a', 'd/b']);
    expect(await ask('read a')).toEqual(['d/a', 'd/b']);
    expect(await ask('read c')).toEqual(['d/c']);
    expect(await ask('read d, c')).toEqual(['d/c', 'd/d']);
  });

  test('that a page cannot hold are refused before anything is read, and others stay', async () => {
    const { ask, held, loaded } = openTables({ small: 1, large: 21, half: 11, other: 10 });
    await ask('read small');
    await ask('read other');
    const refused = { kind: 'size', table: 'large', rows: 10_500_000 };
    await expect(ask('read small, large')).rejects.toThrow(EngineError);
    await expect(ask('read large')).rejects.toMatchObject({ trouble: refused });
    await expect(ask('read small, wrong')).rejects.toThrow('wrong does not exist');
    expect(loaded).toEqual(['read', 'read']);
    expect([...held].sort()).toEqual(['d/other', 'd/small']);
    expect(await ask('read small -- large')).toEqual(['d/other', 'd/small']);
    // The others make room first: only DuckDB knows which of them the statement reads.
    await expect(ask('read half, other')).rejects.toMatchObject({ trouble: { table: 'half' } });
    expect([...held]).toEqual([]);
  });
});
