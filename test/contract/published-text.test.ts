/** Published contracts: every YAML reader finds the values that the build found. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseYaml } from '../../build/contract/yaml-document.ts';
import { pythonWith, runPython } from '../python.ts';

const ROWS = '../../../a/b/year=*/*.parquet';

/** Each text's value as JSON by PyYAML in Python and in C, or the error. */
const PYTHON = `
import json, sys, yaml
loaders = [getattr(yaml, name) for name in sys.argv[1:] if hasattr(yaml, name)]
def read(text, loader):
    try:
        return yaml.load(text, loader)
    except Exception as problem:
        return 'broken: ' + str(problem)
print(json.dumps([[read(text, loader) for loader in loaders] for text in json.load(sys.stdin)], default=repr))
`;
const WITH_YAML = pythonWith('yaml');
const NO_PYTHON = WITH_YAML === null;

function readByPython(texts: readonly string[], loaders: readonly string[]): unknown[][] {
  return runPython(WITH_YAML!, PYTHON, loaders, JSON.stringify(texts)) as unknown[][];
}

function published(text: string, rows: string | null = null): { text: string; value: unknown } {
  const { documents, diagnostics } = parseYaml('a.yaml', text);
  expect(diagnostics.filter(one => one.severity === 'error')).toEqual([]);
  const [document] = documents;
  return { text: document!.published(rows), value: document!.value };
}

/** Texts that YAML 1.1 or one of its readers takes for something else, and how some are published. */
const CASES: readonly (readonly [text: string, published?: string])[] = [
  ['a: { b: https://x.example/t?q=1 }', 'a: { b: "https://x.example/t?q=1" }'],
  ['a: [on, yes, No, y, N, off, True]\n', 'a: ["on", "yes", "No", "y", "N", "off", True]'],
  ['on: 1\nyes: 2\n', '"on": 1\n"yes": 2'],
  ['a: 1:20\nb: 12:30:45\nc: 190:20:30.15\n', 'a: "1:20"\nb: "12:30:45"\nc: "190:20:30.15"'],
  ['a: 0123\nb: 0o17\nd: 0_7\n007: e\n', 'a: "0123"\nb: 15\nd: "0_7"\n"007": e'],
  ['a: 0x1F\nb: 0b101\n', 'a: 31\nb: "0b101"'],
  ['a: 1e3\nb: 1.5e10\nc: 6.02E+23\nd: 1e-7\ne: 1e+21\nf: .5\ng: -.5\nh: 1.\n'],
  ['a: 1_000\nb: 1_0.5_0\n', 'a: "1_000"\nb: "1_0.5_0"'],
  ['a: 2024-01-05\nb: 2024-01-05T10:00:00Z\nc: 2024-1-5 1:00:00\nd: 2020-2024\n'],
  ['version: 1.0.0\nb: v3.1.0\nc: 1.2\n', 'version: 1.0.0\nb: v3.1.0\nc: 1.2'],
  ['a: =\nb: [=, ~]\nc: <<\nd: "<<"\n'],
  ['a: &x { b: 1, c: 2 }\nd:\n  <<: *x\n  c: 3\n'],
  ['a: &x.y 1\nb: *x.y\n'],
  ['a: !!str 123\nb: !thing c\n'],
  ['2024: a\n1e3: b\ntrue: c\nnull: d\n'],
  ['a:\tb\nc: d\t# e\n\t\nf: [1,\t2]\ng: h\ti\nj: "k\tl"\nm: |\n  n\to\n'],
  ['a: b\u2028c\nd: "e\u0085f"\ng: |\n  h\u2029i\n# k\u2028l: m\nn: \'o\u2028p\'\n'],
  ['a: b\u0001c\nd: "e\u007ff"\n# \u0002\n'],
  ['a: 😀\nb: "😀"\n'],
  ['a: [b:c, "d": e, :f, http://g]\nb: { c: ::d, e: f?g }\n'],
  ['a: b\n  c\n\n  d\ne: >-\n  f\n  g\nh: "i\n  j"\n'],
  ['a: 1\n---\n'],
  ['\ufeffa: on\n'],
  ['a: on\r\nb: |\r\n  c\u2028\r\nd: e\r\n'],
  [''],
];

test.for(CASES)('%j', ([text, expected]) => {
  const now = published(text);
  if (expected !== undefined) expect(now.text.trimEnd()).toBe(expected);
  expect(published(now.text).value).toEqual(now.value);
  expect(parse(now.text, { version: '1.1', merge: true })).toEqual(now.value);
});

test.skipIf(NO_PYTHON)('PyYAML reads the same values (needs python3-yaml)', () => {
  const all = CASES.map(([text]) => published(text));
  for (const [i, readings] of readByPython(
    all.map(one => one.text),
    ['SafeLoader', 'CSafeLoader'],
  ).entries())
    for (const reading of readings) expect([all[i]!.text, reading]).toEqual([all[i]!.text, all[i]!.value]);
});

const CONTRACTS = path.resolve(import.meta.dirname, '../../contracts');

describe('our contracts', () => {
  const files = readdirSync(CONTRACTS, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter(file => file.endsWith('.yaml'))
    .map(file => readFileSync(path.join(CONTRACTS, file), 'utf8'));
  const copies = texts.map(text => published(text));

  test('have the quotes that they need', () => expect(copies.map(one => one.text)).toEqual(texts));

  test.skipIf(NO_PYTHON)('have the same values for PyYAML (needs python3-yaml)', () => {
    expect(texts.length).toBeGreaterThan(30);
    expect(readByPython(texts, ['SafeLoader'])).toEqual(copies.map(({ value }) => [value]));
  });
});

test('a local server is published with the place of the rows in the tree, and others as they are', () => {
  const text = `servers:
  - server: lake # ours
    type: local
    path: /srv/lake/b.csv
    format: csv
    delimiter: ;
  - { server: api, type: api, location: https://x.example/ }
  - { server: again, type: local, path: x, environment: dev }
version: 1.0.0
`;
  const now = published(text, ROWS);
  expect(now.text).toBe(`servers:
  - { "server": "lake", "type": "local", "path": "${ROWS}", "format": "parquet" }
  - { server: api, type: api, location: "https://x.example/" }
  - { "server": "again", "type": "local", "path": "${ROWS}", "environment": "dev", "format": "parquet" }
version: 1.0.0
`);
});

test.each([
  'a: &s [{ server: lake, type: local, path: x }]\nservers: *s\n',
  'servers:\n  - &s { server: lake, type: local, path: x }\nb: *s\n',
  'a: &s { server: lake, type: local, path: x }\nservers:\n  - <<: *s\n    environment: dev\n',
])('servers that other parts share, %j: the text is JSON, and says the same', text => {
  const now = published(text, ROWS);
  expect(JSON.parse(now.text)).toMatchObject({ servers: [{ server: 'lake', path: ROWS }] });
});
