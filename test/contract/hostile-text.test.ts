import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../build/contract/diagnostic.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { randomRuns } from '../random-runs.ts';
import { DATASET, DIMENSION, file } from './base-contract.ts';

const lines = DATASET.split('\n');
const line = fc.nat(lines.length - 1);
const SCRAPS = ' [] {} ~ 5 - &a *a [[ " !!x .nan 1e999 __proto__ <<:';
const scrap = fc.constantFrom(...SCRAPS.split(' '), 'a: b', '- {}', '\u0000', '\u202e', '<<: 1', '? x');

/** A few lines removed, doubled, inserted, or with another value. */
const change = fc.tuple(fc.constantFrom('drop', 'double', 'value', 'indent', 'append'), line, scrap);

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
      // There is a diagnostic, or the contract is published or not active.
      const silent = !diagnostics.some(d => d.file === 'visits.yaml');
      if (silent && contracts.datasets.length === 0) expect(text).not.toContain('status: active\n');
    }),
    { numRuns: randomRuns(80), seed: 7 },
  );
});

const many = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join('');
const custom = 'customProperties: ';

/** Texts that cost some readers quadratic time, the stack or all memory. */
const HOSTILE: Readonly<Record<string, string>> = {
  'open brackets': `a: ${'['.repeat(20_000)}`,
  'closed brackets': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  'nested lists': `a:\n ${'- '.repeat(20_000)}`,
  'nested mappings': many(1500, i => `${' '.repeat(i)}a:\n`),
  'nested keys': '? '.repeat(20_000),
  keys: many(30_000, i => `k${i}: 1\n`),
  aliases: `x: &x 1\ny: [${'*x,'.repeat(50_000)}]`,
  'merge keys': `x: &x { a: 1 }\ny: { <<: [${'*x,'.repeat(50_000)}] }`,
  'merge keys of merge keys': `a0: &a0 {}\n${many(40, i => `a${i + 1}: &a${i + 1} { <<: [*a${i}, *a${i}] }\n`)}`,
  'columns of wrong types': `schema: [{name: a, properties: [${'{name: 5},'.repeat(10_000)}]}]`,
  'allowed values': `schema: [{name: a, properties: [{name: b, enum: [${many(20_000, i => `v${i},`)}]}]}]`,
  'custom properties': `${custom}[${'{property: title, value: x},'.repeat(10_000)}]`,
  'syntax errors': '}{:%@`\n'.repeat(10_000),
  'a range of years': `${custom}[{property: year_range, value: [1, 999999999]}]`,
  years: `${custom}[{property: available_years, value: [${many(20_000, i => `${i},`)}]}]`,
};

test.each(Object.entries(HOSTILE))('much of one thing: %s', (_, text) => {
  const { diagnostics } = parseContracts([file('x.yaml', `kind: DataContract\n${text}`)]);
  expect(diagnostics.length).toBeLessThan(410);
  expect(diagnostics.filter(d => d.severity !== 'note').length).toBeGreaterThan(0);
});
