/** The figure at the top of a dataset's page is the explorer's first view, in all of our datasets. */
import { describe, expect, test } from 'vitest';
import { sampleFirstStates } from './specification/sample.ts';

const states = await sampleFirstStates();

describe('the first view', () => {
  test.each(states.filter(({ headline }) => headline !== null))(
    'of $key draws the figures of its headline',
    ({ headline, drawn, view }) => {
      expect(headline).not.toHaveLength(0);
      expect(drawn).toEqual(headline);
      expect(view).not.toBe('table');
    },
  );

  test('of most datasets has a headline to compare with', () => {
    expect(states.filter(({ headline }) => headline !== null).length).toBeGreaterThan(states.length / 2);
  });
});
