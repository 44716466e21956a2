import { expect, test } from 'vitest';
import { parseNotIn } from '../../build/contract/not-in-rule.ts';

const count = 'SELECT COUNT(*) FROM {object} WHERE';

const cases: readonly (readonly [sql: string, column: string | null, values?: readonly unknown[]])[] = [
  ["a NOT IN ('x', 'y')", 'a', ['x', 'y']],
  [`${count} a NOT IN ('x')`, 'a', ['x']],
  [`${count.toLowerCase()}\n  "a b" not in ('it''s',\n 'y') ;`, 'a b', ["it's", 'y']],
  [`${count} a IS NOT NULL AND a NOT IN (1, -2.5, true)`, 'a', [1, -2.5, true]],
  [`${count} a NOT IN ('x') AND a IS NOT NULL`, 'a', ['x']],
  [`${count} b IS NOT NULL AND a NOT IN ('x')`, null],
  [`${count} a NOT IN ('x') AND b IS NOT NULL`, null],
  [`${count} a NOT IN ('x') AND b > 1`, null],
  [`${count} a NOT IN ('x') OR a IS NULL`, null],
  [`${count} a IN ('x')`, null],
  [`${count} NOT a IN ('x')`, null],
  [`${count} a NOT IN ()`, null],
  [`${count} a NOT IN ('x', NULL)`, null],
  [`${count} a NOT IN ('x' 'y')`, null],
  [`${count} a NOT IN ('x',)`, null],
  [`${count} a NOT IN ('x'`, null],
  [`${count} a NOT IN ('x)`, null],
  [`${count} a NOT IN (SELECT b FROM c)`, null],
  [`SELECT COUNT(a) FROM {object} WHERE a NOT IN ('x')`, null],
  [`SELECT COUNT(*) FROM other WHERE a NOT IN ('x')`, null],
  ['', null],
];

test.each(cases.map(([sql, column, values]) => [sql, column, values] as const))(
  '%s',
  (sql, column, values) => {
    const rule = parseNotIn(sql);
    expect(rule?.column ?? null).toBe(column);
    if (column !== null) expect(rule?.values).toEqual(values);
  },
);
