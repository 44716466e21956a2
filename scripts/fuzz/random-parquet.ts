/** Random tables of Parquet, of every type that DuckDB writes. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { literal } from '../../build/lake/sql.ts';
import {
  type Cell,
  dayOf,
  digits,
  HOSTILE,
  number,
  pick,
  type Random,
  type RandomTable,
  text,
} from './random-values.ts';

/** A type of Parquet, and the SQL and the meaning of a value. */
type Native = readonly [type: string, value: (random: Random) => readonly [sql: string, cell: Cell]];

type Value = Native[1];

const numbers =
  (below: number, share = 1): Value =>
  random => {
    const value = random(below) / share;
    return [String(value), number(value)];
  };

/** Numbers that JavaScript has no room for, and other literals without quotes. */
const literals =
  (write: (random: Random) => string): Value =>
  random => {
    const value = write(random);
    return [value, text(value)];
  };

const texts =
  (list: readonly string[], cell: (value: string) => Cell = text): Value =>
  random => {
    const value = pick(random, list);
    return [literal(value), cell(value)];
  };

const oneOf =
  (...list: readonly (readonly [string, Cell])[]): Value =>
  random =>
    pick(random, list);

const clock = (value: string): Cell => ({ text: value, time: value.replace(' ', 'T') });

const days =
  (time: (day: string) => readonly [sql: string, cell: Cell]): Value =>
  random => {
    const [own, cell] = time(dayOf(random));
    return [literal(own), cell];
  };

const LEFT_OUT: readonly (readonly [type: string, sql: string])[] = [
  ['INTEGER[]', '[1,2]'],
  ['INTEGER[2]', '[1,2]'],
  ['INTEGER[][]', '[[1],[2]]'],
  ['STRUCT(a INTEGER)', "{'a': 1}"],
  ['STRUCT(a STRUCT(b INTEGER[]))[]', "[{'a': {'b': [1]}}]"],
  ['UNION', '1'],
  ['MAP(VARCHAR, INTEGER)', "map {'k': 1}"],
  ['BLOB', "'\\xAA'::BLOB"],
];

const NATIVES: readonly Native[] = [
  ...['TINYINT', 'UTINYINT', 'SMALLINT', 'USMALLINT', 'INTEGER', 'UINTEGER', 'BIGINT', 'UBIGINT'].map(
    (type): Native => [type, numbers(100)],
  ),
  ['FLOAT', numbers(100)],
  ['DOUBLE', numbers(100)],
  ['BIGINT', literals(random => `9007199254740993${random(10)}`)],
  ['DECIMAL(38,0)', numbers(1000)],
  ['DECIMAL(38,3)', literals(random => `12345678901234567${random(10)}.125`)],
  ['DECIMAL(9,2)', numbers(1000, 4)],
  [
    'DOUBLE',
    oneOf(
      [`'nan'::DOUBLE`, text('nan')],
      [`'-inf'::DOUBLE`, text('-inf')],
      ['0.5', { text: '0.5', number: 0.5 }],
    ),
  ],
  ['VARCHAR', texts(HOSTILE.filter(one => !one.includes('\r')))],
  ['VARCHAR', texts(['a\rb', 'c'])],
  ['VARCHAR', texts(['', 'NULL', 'a', ' b '])],
  ['UUID', random => texts([`a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a${digits(random(99))}`])(random)],
  ['VARCHAR', texts(['NA', '-', '', '0.5', '12'])],
  ['TIME', texts(['12:30:01', '00:00:00', '23:59:59.5', '23:59:59.999999', '24:00:00'])],
  [
    'TIMETZ',
    random => {
      const hour = 10 + random(9);
      const [offset, shift] = pick(random, [['+00', 0] as const, ['+02', 2] as const, ['-05', -5] as const]);
      return [literal(`${hour}:00:00${offset}`), text(`${digits(hour - shift)}:00:00+00`)];
    },
  ],
  ['INTERVAL', texts(['3 days', '1 year 2 months', '00:00:05'])],
  ['JSON', texts(['{"a":1}', '[1,2]', 'null'])],
  ["ENUM('a','b c')", texts(['a', 'b c'])],
  ['BIT', texts(['101', '0'])],
  ['BOOLEAN', oneOf(['true', { text: 'true', boolean: true }], ['false', { text: 'false', boolean: false }])],
  ['DATE', days(day => [day, { text: day, time: day }])],
  ...['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'].map(
    (type): Native => [type, days(day => [`${day} 12:30:01`, clock(`${day} 12:30:01`)])],
  ),
  ['TIMESTAMPTZ', days(day => [`${day} 12:30:01+02`, { text: null, time: `${day}T10:30:01Z` }])],
  ['HUGEINT', numbers(1000)],
  ['HUGEINT', oneOf(['170141183460469231731687303715884105727', number(2 ** 127)])],
  ['DECIMAL(38,0)', literals(random => `${'9'.repeat(37)}${random(10)}`)],
  ['FLOAT', oneOf(['0.1', number(Math.fround(0.1))])],
  ['FLOAT', oneOf(["'inf'::FLOAT", text('inf')], ['1', { text: '1.0', number: 1 }])],
  ['DATE', texts(['0001-01-01', '9999-12-31', '1582-10-10'], day => ({ text: day, time: day }))],
  ['DATE', texts(['infinity', '5881580-07-10', '0044-03-15 (BC)'])],
  ['TIMESTAMP', texts(['0001-01-01 00:00:00', '9999-12-31 23:59:59.999999'], clock)],
  ['TIMESTAMP', texts(['infinity', '294247-01-10 04:00:54.775806'])],
  ['TIMESTAMP_NS', texts(['2024-01-01 00:00:00.000001', '2262-04-11 23:47:16.85'], clock)],
  ['TIMESTAMP_NS', texts(['2024-01-01 00:00:00.123456789'])],
  ...LEFT_OUT.map(([type, sql]): Native => [type, oneOf([sql, text('left out')])]),
];

let connection: Promise<DuckDBConnection> | null = null;

export function parquetTable(
  random: Random,
  name: string,
  columns: readonly string[],
  length: number,
): RandomTable {
  const natives = columns.map((_, i) => pick(random, i === 0 ? NATIVES.slice(0, 20) : NATIVES));
  const gaps = columns.map(() => random(4) === 0);
  const made = Array.from({ length }, () =>
    natives.map(([, value], i) =>
      gaps[i] && random(5) === 0 ? (['NULL', { text: null }] as const) : value(random),
    ),
  );
  const plain = columns.map(column => column.replace('\n', ' '));
  const list = natives.map(
    ([type], i) =>
      `${type === 'UNION' ? `union_value(n := c${i})` : `c${i}::${type}`} AS "${plain[i]!.replaceAll('"', '""')}"`,
  );
  const rows = made.length > 0 ? made : [natives.map(() => ['NULL'])];
  const values = rows.map(row => `(${row.map(([sql]) => sql).join(', ')})`).join(', ');
  const isOdd = made.some(row => row.some(([, { text: own }]) => own?.includes('\r')));
  const refusal = isOdd ? 'control character' : length === 0 ? 'no rows' : undefined;
  return {
    name,
    columns: plain,
    rows: made.map(row => row.map(([, cell]) => cell)),
    ...(refusal !== undefined && { refusal }),
    dialect: `parquet ${natives.map(([type]) => type).join(', ')}`,
    write: async () => {
      connection ??= DuckDBInstance.create(':memory:', { threads: '1' }).then(instance => instance.connect());
      const folder = await mkdtemp(path.join(os.tmpdir(), 'civic-parquet-'));
      const file = path.join(folder, 't.parquet');
      const own = await connection;
      await own.run("SET TimeZone = 'UTC'");
      await own.run(
        `COPY (SELECT ${list.join(', ')} FROM (VALUES ${values}) t(${natives.map((_, i) => `c${i}`).join(', ')}) LIMIT ${length}) TO ${literal(file)} (FORMAT parquet)`,
      );
      const bytes = await readFile(file);
      await rm(folder, { recursive: true });
      return bytes;
    },
  };
}
