import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveRank, describeRank, ordinal } from '../../site/explorer/view/rank.ts';

const figure = (value: number, margin: number | null = null) => ({ value, margin });

describe('a rank', () => {
  test('says which ranks the margins allow', () => {
    const figures = [50, 40, 35, 30, 20].map(value => figure(value, 3));
    const rank = deriveRank(figures[2]!, figures)!;
    expect(rank).toEqual({ position: 3, best: 2, worst: 4, of: 5 });
    expect(describeRank(rank, true)).toBe('3rd highest of 5; between 2nd and 4th within margins');
    expect(describeRank(deriveRank(figures[0]!, figures)!, true)).toBe('Highest of 5');
    expect(describeRank(rank, false)).toBe('3rd highest of 5');
    expect(deriveRank(figures[0]!, [figures[0]!])).toBeNull();
  });

  test('lies within what the margins allow, whatever the figures', () => {
    const some = fc.record({
      value: fc.integer({ min: -50, max: 50 }),
      margin: fc.option(fc.nat({ max: 30 })),
    });
    fc.assert(
      fc.property(fc.array(some, { minLength: 2, maxLength: 12 }), figures => {
        const rank = deriveRank(figures[0]!, figures)!;
        expect(rank.best).toBeLessThanOrEqual(rank.position);
        expect(rank.worst).toBeGreaterThanOrEqual(rank.position);
        expect(rank.worst).toBeLessThanOrEqual(figures.length);
      }),
    );
  });

  test.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [22, '22nd'],
    [113, '113th'],
    [121, '121st'],
  ])('%i is %s', (position, words) => expect(ordinal(position)).toBe(words));
});
