import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../../build/format/documents.ts';
import { type End, type Range, readEnd, showEnd } from '../../site/explorer/view/ranges.ts';

function rangeOf(type: ColumnType, unit: string | null = null): Range {
  const end = (bound: End) =>
    [
      bound,
      {
        param: `x_${bound}`,
        parameter: { kind: 'range', bound, column: 'x', type, position: 0, key: -1, utc: false },
      },
    ] as const;
  return { column: 'x', label: 'X', type, unit, ends: new Map([end('min'), end('max')]) };
}

describe('the end of a range', () => {
  test.each<[ColumnType, string | null, string, string | null]>([
    ['number', null, '', null],
    ['number', null, ' 12.5 ', '12.5'],
    ['number', null, '1,234.5', '1234.5'],
    ['number', null, '−3', '-3'],
    ['integer', 'count', '12,345', '12345'],
    ['number', 'proportion', '12.3', '0.123'],
    ['number', 'proportion', '57 %', '0.57'],
    ['number', 'proportion', '0.1', '0.001'],
    ['date', null, '2024-02-29', '2024-02-29'],
    ['timestamp', null, '2024-02-29', '2024-02-29'],
  ])('%s in %s: %j is %j', (type, unit, text, value) => {
    const range = rangeOf(type, unit);
    expect(readEnd(range, 'min', text)).toEqual({ value });
    if (value !== null && unit === 'proportion') expect(showEnd(range, value)).toBe(text.replace(/\s*%/, ''));
  });

  test.each<[ColumnType, string | null, string]>([
    ['number', null, 'a'],
    ['number', null, '1,23'],
    ['number', null, '12%'],
    ['number', null, '1e999'],
    ['number', 'proportion', 'half'],
    ['number', 'proportion', '%'],
    ['integer', null, '1.5'],
    ['date', null, '2024-02-30'],
    ['date', null, '29.2.2024'],
    ['timestamp', null, '2024'],
  ])('%s in %s: %j is refused', (type, unit, text) => {
    expect(readEnd(rangeOf(type, unit), 'max', text)).toEqual({
      error: expect.stringContaining(`“${text}” is no `),
    });
  });
});
