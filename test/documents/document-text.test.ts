/** Documents as text: the same value, the same bytes each time, and lines that a person can read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentText } from '../../build/documents/document-text.ts';
import { randomRuns } from '../random-runs.ts';

test('the text is the value, as JSON.stringify has it', () => {
  const anything = fc.object({
    maxDepth: 4,
    withNullPrototype: false,
    values: [
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined, -0, 1e21, 5e-324, '"', '\\', '\u2028', '\ud800', '~', ' '),
    ],
  });
  fc.assert(
    fc.property(anything, value => {
      const text = documentText(value);
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      expect(text.endsWith('\n')).toBe(true);
      expect(documentText(structuredClone(value))).toBe(text);
    }),
    { numRuns: randomRuns(500) },
  );
});

test('values that fit on a line are on one, except the whole', () => {
  const fits = { name: 'x'.repeat(97) };
  const longer = { name: 'x'.repeat(98) };
  expect(documentText({ a: fits })).toBe(`{\n  "a": { "name": "${fits.name}" }\n}\n`);
  expect(documentText({ a: longer })).toBe(`{\n  "a": {\n    "name": "${longer.name}"\n  }\n}\n`);
  expect(documentText({ a: [], b: {}, c: [{ d: [1, null] }, []] })).toBe(
    '{\n  "a": [],\n  "b": {},\n  "c": [{ "d": [1, null] }, []]\n}\n',
  );
  const years = Array.from({ length: 60 }, (_, i) => 2000 + i);
  expect(documentText({ a: { years } })).toBe(`{\n  "a": {\n    "years": [${years.join(', ')}]\n  }\n}\n`);
});

test('a list that several entries have is counted with each of them', () => {
  const years = [2001, 2002];
  const entry = (name: string) => ({ name, years });
  const apart = (name: string) => ({ name, years: [...years] });
  for (const length of [60, 74, 75, 76, 90])
    expect(documentText({ list: [entry('a'), entry('b'.repeat(length))] })).toBe(
      documentText({ list: [apart('a'), apart('b'.repeat(length))] }),
    );
});
