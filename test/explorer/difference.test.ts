/** What two figures differ by, with the margin of the difference. */
import { afterEach, expect, test } from 'vitest';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { describeDifference, differenceOf } from '../../site/explorer/view/figure.ts';

const figure = (value: number | null, margin: number | null = null) => ({ value, margin });
type Figure = ReturnType<typeof figure>;
const say = (one: Figure, other: Figure, unit: string | null, than: string) => {
  const difference = differenceOf(one, other);
  return difference && describeDifference(difference, unit, than);
};

afterEach(() => speakLanguage('en'));

test.each([
  [figure(0.905), figure(0.841), 'proportion', '6.4 points more than Bell', '6,4 puntos más que Bell'],
  [figure(0.841), figure(0.905), 'proportion', '6.4 points less than Bell', '6,4 puntos menos que Bell'],
  [figure(1200), figure(1000), 'count', '200 more than Bell', '200 más que Bell'],
  [figure(5), figure(5), 'count', 'the same as Bell', 'igual que Bell'],
  [figure(0.8412), figure(0.8411), 'proportion', 'the same as Bell', 'igual que Bell'],
  // √(3² + 4²) = 5
  [figure(106, 3), figure(100, 4), 'count', '6 more (±5) than Bell', '6 más (±5) que Bell'],
  [
    figure(104, 3),
    figure(100, 4),
    'count',
    'no clear difference (±5) from Bell',
    'ni claramente más ni claramente menos que Bell (±5)',
  ],
  [figure(104, 3), figure(100), 'count', '4 more than Bell', '4 más que Bell'],
  [figure(null), figure(100), 'count', null, null],
])('%j and %j in %s: %s', (one, other, unit, english, spanish) => {
  expect(say(one, other, unit, 'Bell')).toBe(english);
  speakLanguage('es');
  expect(say(one, other, unit, 'Bell')).toBe(spanish);
});
