import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../build/contract/diagnostic.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { randomRuns } from '../random-runs.ts';
import { DATASET, DIMENSION, file } from './base-contract.ts';

const lines = DATASET.split('\n');
const line = fc.nat(lines.length - 1);
const scrap = fc.constantFrom(
  '',
  '[]',
  '{}',
  '~',
  '5',
  '-',
  'a: b',
  '&a',
  '*a',
  '[[',
  '"',
  '!!x',
  '.nan',
  '1e999',
  '__proto__',
  '- {}',
  '\u0000',
  '\u202e',
  '<<: 1',
  '? x',
);

/** A few lines taken away, doubled, moved in, or given another value. */
const change = fc.oneof(
  fc.tuple(fc.constant('drop'), line, scrap),
  fc.tuple(fc.constant('double'), line, scrap),
  fc.tuple(fc.constant('value'), line, scrap),
  fc.tuple(fc.constant('indent'), line, scrap),
  fc.tuple(fc.constant('append'), line, scrap),
);

function apply(changes: readonly (readonly [string, number, string])[]): string {
  const result = [...lines];
  for (const [kind, at, text] of changes) {
    const old = result[at] ?? '';
    if (kind === 'drop') result.splice(at, 1);
    else if (kind === 'double') result.splice(at, 0, old);
    else if (kind === 'indent') result[at] = `  ${old}`;
    else if (kind === 'append') result[at] = `${old} ${text}`;
    else result[at] = old.replace(/(value|[a-zA-Z]+): [^{].*/, (_, key) => `${key}: ${text}`);
  }
  return result.join('\n');
}

test('any change of a contract gives diagnostics with places, never an exception', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), changes => {
      const text = apply(changes);
      const { contracts, diagnostics } = parseContracts([
        file('visits.yaml', text),
        file('areas.yaml', DIMENSION),
      ]);
      const count = text.split('\n').length;
      for (const diagnostic of diagnostics) {
        expect(formatDiagnostic(diagnostic)).toMatch(/^[^\n\0\u202e]+$/);
        if (diagnostic.file !== 'visits.yaml') continue;
        expect(diagnostic.line).toBeLessThanOrEqual(count + 1);
        expect(diagnostic.line).toBeGreaterThan(0);
        expect(diagnostic.column).toBeGreaterThan(0);
      }
      // Either something is said, or the contract is published or not active.
      const silent = !diagnostics.some(d => d.file === 'visits.yaml');
      if (silent && contracts.datasets.length === 0) expect(text).not.toContain('status: active\n');
    }),
    { numRuns: randomRuns(80), seed: 7 },
  );
});

const K = 'kind: DataContract\n';
const many = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join('');

/** Texts that cost some readers quadratic time, the stack or all memory. */
const hostile: readonly (readonly [says: string, text: string])[] = [
  ['open brackets', `${K}a: ${'['.repeat(20_000)}`],
  ['closed brackets', `${K}a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['nested lists', `${K}a:\n ${'- '.repeat(20_000)}`],
  ['nested mappings', many(1500, i => `${' '.repeat(i)}a:\n`)],
  ['nested keys', '? '.repeat(20_000)],
  ['keys', K + many(30_000, i => `k${i}: 1\n`)],
  ['aliases', `${K}x: &x 1\ny: [${'*x,'.repeat(50_000)}]`],
  ['merge keys', `${K}x: &x { a: 1 }\ny: { <<: [${'*x,'.repeat(50_000)}] }`],
  [
    'merge keys of merge keys',
    `${K}${many(40, i => `a${i}: &a${i} { <<: [*a${i - 1}, *a${i - 1}] }\n`).replaceAll('*a-1', '{}')}`,
  ],
  ['columns of wrong types', `${K}schema: [{name: a, properties: [${'{name: 5},'.repeat(10_000)}]}]`],
  [
    'allowed values',
    `${K}schema: [{name: a, properties: [{name: b, enum: [${many(20_000, i => `v${i},`)}]}]}]`,
  ],
  ['custom properties', `${K}customProperties: [${'{property: title, value: x},'.repeat(10_000)}]`],
  ['syntax errors', '}{:%@`\n'.repeat(10_000)],
  [
    'years',
    `${K}customProperties: [{property: year_range, value: [1, 999999999]}, {property: available_years, value: [${many(20_000, i => `${i},`)}]}]`,
  ],
];

test.each(hostile)('much of one thing: %s', (_, text) => {
  const { diagnostics } = parseContracts([file('x.yaml', text)]);
  expect(diagnostics.length).toBeLessThan(410);
  expect(diagnostics.filter(d => d.severity !== 'note').length).toBeGreaterThan(0);
});
