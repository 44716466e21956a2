/** What two figures differ by, with the margin of the difference. */
import { expect, test } from 'vitest';
import { describeDifference, differenceOf } from '../../site/explorer/view/difference.ts';

const figure = (value: number | null, margin: number | null = null) => ({ value, margin });
const say = (one: ReturnType<typeof figure>, other: ReturnType<typeof figure>, unit: string | null) => {
  const difference = differenceOf(one, other);
  if (difference === null) return null;
  const { words, link } = describeDifference(difference, unit);
  return `${words} ${link}`;
};

test.each([
  [figure(0.905), figure(0.841), 'proportion', '6.4 points more than'],
  [figure(0.841), figure(0.905), 'proportion', '6.4 points less than'],
  [figure(1200), figure(1000), 'count', '200 more than'],
  [figure(5), figure(5), 'count', 'the same as'],
  [figure(0.8412), figure(0.8411), 'proportion', 'the same as'],
  // √(3² + 4²) = 5
  [figure(106, 3), figure(100, 4), 'count', '6 more (±5) than'],
  [figure(104, 3), figure(100, 4), 'count', 'no clear difference (±5) from'],
  [figure(104, 3), figure(100), 'count', '4 more than'],
  [figure(null), figure(100), 'count', null],
])('%j and %j in %s: %s', (one, other, unit, words) => {
  expect(say(one, other, unit)).toBe(words);
});
