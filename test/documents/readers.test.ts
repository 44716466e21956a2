/** Other programs read the documents for other tools: what each finds wrong in two trees. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isInstalled } from '../installed.ts';
import { AIR_CONTRACTS, AIR_LAKE } from '../publishers/air.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { pythonWith, runPython } from '../python.ts';

const BASE = 'https://data.example.org/air/';

/** Names and values that mean something else in YAML, addresses and XML. */
const ODD = `kind: DataContract
apiVersion: v3.1.0
id: odd
version: 1.0.0
status: active
domain: air
contractCreatedTs: 2024-01-05T10:00:00Z
tags: [on, 1:20, <b>&]
servers: [{ server: lake, type: local, path: /srv/odd.parquet, format: parquet }]
schema:
  - name: odd
    properties:
      - { name: "{when} it's ?", logicalType: string, description: x?y }
      - { name: Größe (m²), logicalType: integer }
`;

let root: string;
const at = (name: string) => path.join(root, name);
const TREES = [
  ['with an address', 'addressed', BASE],
  ['without one', 'relative', null],
] as const;

beforeAll(async () => {
  root = await temporaryFolder();
  const publisher = await writePublisher(
    root,
    { ...AIR_CONTRACTS, 'odd.odcs.yaml': ODD },
    { ...AIR_LAKE, 'air/odd.parquet': `SELECT 'a' AS "{when} it's ?", 1 AS "Größe (m²)"` },
  );
  const cache = { folder: at('cache') };
  for (const [, out, baseUrl] of TREES) await publisher.with({ out: at(out) }).build({ baseUrl, cache });
});

/** Each takes the files of a tree, and lists errors. */
const READERS: readonly (readonly [
  name: string,
  modules: readonly string[],
  file: RegExp,
  program: string,
])[] = [
  [
    'PyYAML',
    ['yaml'],
    /\/contract\.yaml$|^CITATION\.cff$/,
    `
import os
for name in files:
    value = yaml.load(open(name, encoding='utf8'), yaml.SafeLoader)
    parsed = name.replace('.yaml', '.json')
    if parsed != name and value != json.load(open(parsed)): wrong.append(name + ' has other values than its JSON')
`,
  ],
  [
    // The rules of mlcroissant: its types of files and fields, and addresses that it resolves.
    'rdflib, by the rules of mlcroissant',
    ['rdflib'],
    /\/croissant\.json$/,
    `
import os
CR, SC = rdflib.Namespace('http://mlcommons.org/croissant/'), rdflib.Namespace('https://schema.org/')
TYPES = {SC.Boolean, SC.Date, SC.Float, SC.Integer, SC.Text, SC.URL}
for name in files:
    graph = rdflib.Graph()
    graph.parse(name, format='json-ld')
    graph.serialize(format='nt')
    objects = set(graph.subjects(rdflib.RDF.type, CR.FileObject))
    fields = set(graph.subjects(rdflib.RDF.type, CR.Field))
    if not objects or not fields: wrong.append(name + ' is empty')
    for one in objects:
        if str(graph.value(one, SC.encodingFormat)) != 'application/x-parquet': wrong.append(str(one) + ' has an unknown format')
        url = str(graph.value(one, SC.contentUrl))
        if not url.startswith('https://') and not os.path.isfile(os.path.join(os.path.dirname(name), url)): wrong.append(url + ' leads nowhere')
        if not graph.value(one, SC.sha256): wrong.append(str(one) + ' has no hash')
    for one in fields:
        if not TYPES & set(graph.objects(one, CR.dataType)): wrong.append(str(one) + ' has an unknown type')
        if graph.value(graph.value(one, CR.source), CR.fileObject) not in objects: wrong.append(str(one) + ' is of no file')
`,
  ],
  [
    'feedparser',
    ['feedparser'],
    /(^|\/)feed\.xml$/,
    `
for name in files:
    feed = feedparser.parse(name)
    if feed.bozo: wrong.append(name + ': ' + str(feed.bozo_exception))
    if feed.version != 'atom10': wrong.append(name + ' is no feed of Atom')
    for one in [feed.feed, *feed.entries]:
        for key in ('id', 'title', 'updated_parsed'):
            if not one.get(key): wrong.append(name + ' lacks ' + key)
    for one in feed.entries:
        if not (one.get('author') or feed.feed.get('author')): wrong.append(name + ' has no author')
`,
  ],
];

const filesOf = (out: string, file: RegExp) =>
  readdirSync(at(out), { recursive: true, encoding: 'utf8' }).filter(one => file.test(one));

describe.each(READERS)('%s', (_, modules, file, program) => {
  const python = pythonWith(...modules);
  test.skipIf(python === null).for(TREES)(
    'finds nothing wrong in a tree %s (needs its module of Python)',
    ([, out]) => {
      const files = filesOf(out, file).map(one => path.join(at(out), one));
      expect(files.length).toBeGreaterThan(0);
      const whole = `import json, sys, ${modules.join(', ')}\nfiles, wrong = sys.argv[1:], []\n${program}\nprint(json.dumps(wrong))`;
      expect(runPython(python!, whole, files)).toEqual([]);
    },
  );
});

test.skipIf(!isInstalled('xmllint')).for(TREES)(
  'xmllint finds nothing wrong in a tree %s (needs xmllint)',
  ([, out]) => {
    const files = filesOf(out, /\.xml$/);
    expect(files.length).toBeGreaterThan(1);
    const { stderr } = spawnSync('xmllint', ['--noout', ...files], { cwd: at(out), encoding: 'utf8' });
    expect(stderr).toBe('');
  },
);
