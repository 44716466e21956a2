/** Classes of a map have about equally many places, and round limits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classOf, deriveClasses } from '../../site/explorer/panel/map.tsx';

test('one outlier leaves the others in classes of their own', () => {
  const values = [...Array.from({ length: 99 }, (_, i) => 100 + i), 1_000_000];
  const classes = deriveClasses(values);
  const sizes = classes.colors.map(color => values.filter(value => classOf(classes, value) === color).length);
  expect(sizes).toHaveLength(5);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(30);
  for (const limit of classes.bounds.slice(1, -1)) expect(limit % 5).toBe(0);
});

test('all figures have a class, in order, and no class is empty', () => {
  const figures = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(figures, values => {
      const classes = deriveClasses(values);
      const found = [...values].sort((a, b) => a - b).map(value => classOf(classes, value));
      expect(found).toEqual([...found].sort((a, b) => a - b));
      expect(new Set(found).size).toBe(classes.colors.length);
    }),
  );
});
