/** The rules of the house, applied to its sources, and each rule to a few lines that break it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseContracts } from '../build/contract/parse-contracts.ts';
import { readContractFolder } from '../build/plan/build-input.ts';
import { IMPORT_RULES, quickTestsStartNothing, type SourceRule } from './house/import-rules.ts';
import { ROOT, readTexts, sourcesOf } from './house/project-files.ts';
import { parseSource } from './house/source.ts';
import {
  filesAreShort,
  filesKnowNoMachine,
  genericHalfIsGeneric,
  lockHasEveryPlatform,
  lockHasHashes,
  lockNamesNoHost,
  namesAreKebab,
  namesSaySomething,
  onlyTheOutermostPrints,
  ownNames,
  roomsKeepTheirBudgets,
  textsArePlain,
  textsAreInTheCatalogue,
} from './house/style-rules.ts';
import { QUICK } from './quick-tests.ts';

const readJson = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

const texts = readTexts();
const sources = sourcesOf(texts);
const { contracts } = parseContracts(readContractFolder(path.join(ROOT, 'contracts')));

/** A file per line: its path, then a line of its text. Violations end in `// no`. */
const RULES: readonly (readonly [name: string, rule: SourceRule, fixture: string, small?: SourceRule])[] = [
  [
    'build/format imports nothing outside itself but the package of schemas',
    IMPORT_RULES.formatIsAlone,
    `build/format/a.ts import type { B } from './b.ts';
    build/format/a.ts import * as Type from 'typebox';
    build/format/a.ts import 'typebox/value'; // no
    build/format/a.ts import { C } from '../c.ts'; // no
    build/format/b.ts import 'node:path'; // no`,
  ],
  [
    'build never imports site; only build/cli/program.ts joins the halves',
    IMPORT_RULES.buildLeavesSite,
    `build/a.ts export type { B } from '../site/b.ts'; // no
    build/a.ts type C = import('../site/c.ts').C; // no
    build/cli/program.ts await import('../site/b.ts');`,
  ],
  [
    'site imports only build/format of build',
    IMPORT_RULES.siteKnowsTheFormatAlone,
    `site/a.ts import type { B } from '../build/format/b.ts';
    site/a.ts const c = () => import('../build/lake/c.ts'); // no`,
  ],
  [
    'site takes only types from schemas',
    IMPORT_RULES.siteHasNoSchemas,
    `build/format/a.ts import * as Type from 'typebox';
    build/format/b.ts import { A } from './a.ts';
    build/format/c.ts export type * from './b.ts';
    site/a.ts import type { A } from '../build/format/a.ts';
    site/a.ts export type B = import('../build/format/b.ts').B;
    site/a.ts import { B } from '../build/format/b.ts'; // no
    site/a.ts import { type D } from '../build/format/a.ts'; // no
    site/a.ts import { C } from '../build/format/c.ts';
    site/a.ts import type { Static } from 'typebox';
    site/a.ts import { String } from 'typebox'; // no`,
  ],
  [
    'only build/lake and the engine of the explorer import DuckDB',
    IMPORT_RULES.duckdbHasTwoRooms,
    `build/check/a.ts import type { DuckDBValue } from '@duckdb/node-api'; // no
    build/lake/b.ts import { DuckDBInstance } from '@duckdb/node-api';
    site/edge/c.ts export * from '@duckdb/node-api'; // no
    site/explorer/engine/d.ts import '@duckdb/duckdb-wasm/blocking';
    site/explorer/engine/d.ts import '@duckdb/node-api'; // no`,
  ],
  [
    'rooms of build import in one direction, types included',
    IMPORT_RULES.roomsFollowOneAnother,
    `build/plan/a.ts import type { B } from '../pipeline/b.ts'; // no
    build/plan/a.ts import '../tree/c.ts';
    build/tree/e.ts type F = import('../plan/f.ts').F; // no
    build/tree/e.ts import '../failure.ts';
    build/failure.ts export type { G } from './tree/g.ts'; // no`,
  ],
  [
    'every file of build is in a room of the list',
    IMPORT_RULES.everyRoomIsListed,
    `build/hall.ts // no
    build/attic/a.ts // no
    build/lake/b.ts const b = 1;`,
  ],
  [
    'build/contract and the renderers of build/documents read no file and no row',
    IMPORT_RULES.contractAndRenderersArePure,
    `build/contract/a.ts import { readFile } from 'node:fs/promises'; // no
    build/contract/a.ts import 'node:crypto';
    build/documents/b.ts import type { Database } from '../lake/database.ts'; // no`,
  ],
  [
    'site/query imports nothing but itself and build/format',
    IMPORT_RULES.queryIsAlone,
    `site/query/a.ts import './b.ts';
    site/query/a.ts import '../../build/format/c.ts';
    site/query/a.ts import '../edge/d.ts'; // no
    site/query/a.ts import 'yaml'; // no`,
  ],
  [
    'site/edge knows Node in its adapters alone',
    IMPORT_RULES.edgeIsPortable,
    `site/edge/a.ts import { createHash } from 'crypto'; // no
    site/edge/adapters/node.ts import { createServer } from 'node:http';`,
  ],
  [
    'a request walks through site/edge in one direction, and stored, cut and scan are siblings',
    IMPORT_RULES.walkIsStraight,
    `site/edge/respond/rows.ts import './stored.ts'; // no
    site/edge/respond/rows.ts import './refusal.ts';
    site/edge/rows/a.ts import '../handler.ts'; // no`,
  ],
  [
    'in site/explorer only the page maker knows Node, and nothing knows an adapter',
    IMPORT_RULES.explorerIsPortable,
    `site/explorer/page-maker.ts import 'node:fs';
    site/explorer/app/a.ts import 'node:fs'; // no
    site/explorer/app/a.ts import '../../edge/adapters/b.ts'; // no`,
  ],
  [
    "the explorer's pages and views need no browser",
    IMPORT_RULES.explorerViewIsPure,
    `site/explorer/view/a.ts import '../app/b.ts'; // no
    site/explorer/view/a.ts import '../pages/c.tsx';`,
  ],
  [
    'nothing imports scripts or test',
    IMPORT_RULES.scriptsAndTestsAreEnds,
    `build/a.ts import '../scripts/b.ts'; // no
    scripts/b.ts import './c.ts';
    scripts/b.ts import '../test/d.ts'; // no
    test/d.ts import '../scripts/b.ts';`,
  ],
  [
    'an import names what it imports',
    IMPORT_RULES.namesAreWritten,
    'build/a.ts const load = (name: string) => import(name); // no',
  ],
  [
    'quick tests need no compiled program, no browser and no server',
    quickTestsStartNothing(QUICK),
    `test/a.test.ts import './b.ts';
    test/a.test.ts import '../build/lake/d.ts';
    test/b.ts import { spawn } from 'node:child_process'; // no
    test/b.ts import '../site/edge/adapters/node.ts'; // no
    build/lake/d.ts import 'node:child_process';`,
    quickTestsStartNothing(['test/a.test.ts']),
  ],
  [
    'no file or folder is called utils, helpers, common or manager',
    namesSaySomething,
    `build/common/a.ts // no
    site/date-utils.ts // no
    site/commonest.ts const c = 1;`,
  ],
  [
    'names are kebab-case',
    namesAreKebab,
    `build/readLake.ts // no
    site/Edge/a.ts // no
    scripts/bird_counts.ts // no
    test/a-1.test.ts const a = 1;
    site/serve-handler.d.ts declare const b: 1;`,
  ],
  [
    'only build/cli/program.ts, build/cli/terminal.ts and the adapters of hosts print or exit',
    onlyTheOutermostPrints,
    `build/a.ts console.log('a'); // no
    build/a.ts process.cwd();
    build/a.ts process.exit(1); // no
    build/cli/program.ts process.exitCode = 1;
    site/edge/adapters/some-host.ts console.error('a');
    site/edge/b.ts console.error('b'); // no
    scripts/b.ts process.stdout.write('b');`,
  ],
  [
    'texts of the interface are in the catalogue',
    textsAreInTheCatalogue,
    `site/explorer/pages/a.tsx const a = () => <p title={t.a.b}>{t.a.c}: <code>sum</code>, {b ? ' · ' : null}</p>;
    site/explorer/pages/a.tsx const b = () => <a href="a/b.csv">SHA-256: errata.json</a>;
    site/explorer/pages/a.tsx const c = () => <p>Rows</p>; // no
    site/explorer/app/b.tsx const d = () => <Table label="All rows" />; // no
    site/explorer/app/b.tsx const e = () => <button aria-label={open ? 'Close' : t.a.d} />; // no
    site/explorer/app/b.tsx const f = () => <p>{t.a.e}{isSample && ' of a sample'}</p>; // no
    site/explorer/app/b.tsx const g = () => <>{\`page \${h}\`}</>; // no
    scripts/c.tsx const i = () => <p>Rows</p>;`,
  ],
  [
    'the generic half knows nothing of Georgia',
    genericHalfIsGeneric(ownNames(contracts)),
    `build/a.ts // Georgia's county_fips
    build/a.ts const countyFips = 1; // no
    build/a.ts const b = 'census'; // no
    build/a.ts const c = 'an employment'; // no
    site/c.ts const place = year => \`\${year} 13001\`; // no
    site/c.ts const code = '13'; // no
    site/c.ts const state = 'GA'; // no
    site/c.ts const n = 13;
    scripts/d.ts const state = 'Georgia';`,
  ],
];

for (const [name, rule, fixture, small = rule] of RULES)
  describe(name, () => {
    test('holds', () => expect(rule(sources)).toEqual([]));

    test('can fail', () => {
      const files = new Map<string, string[]>();
      const wrong: string[] = [];
      for (const row of fixture.split('\n')) {
        const [, file = '', line = ''] = /^ *(\S+) (.*)$/.exec(row) ?? [];
        files.set(file, [...(files.get(file) ?? []), line]);
        if (row.endsWith(' // no')) wrong.push(`${file}:${files.get(file)?.length}`);
      }
      const found = small([...files].map(([file, lines]) => parseSource(file, lines.join('\n'))));
      // A rule about whole files names no line.
      const places = found
        .map(text => text.split(' ')[0] ?? '')
        .map(one => (one.includes(':') ? one : `${one}:1`));
      expect(places.sort()).toEqual(wrong.sort());
    });
  });

test('a quick test that is not there is found', () =>
  expect(quickTestsStartNothing(['test/c.test.ts'])([])).toEqual(['test/c.test.ts is not there']));

test('files are short', () => {
  expect(filesAreShort(sources)).toEqual([]);
  const long = (file: string, count: number) => parseSource(file, '//\n'.repeat(count));
  expect(filesAreShort([long('build/a.ts', 601), long('build/b.ts', 600), long('test/c.ts', 999)])).toEqual([
    'build/a.ts has 601 lines; the most is 600',
  ]);
});

test('rooms keep within test/house/budget.json; a higher number needs its reason in the commit', () => {
  expect(roomsKeepTheirBudgets(texts, readJson('test/house/budget.json'))).toEqual([]);
  const file = (name: string) => ({ path: name, text: 'a\nb\n' });
  const small = ['build/failure.ts', 'site/edge/rows/a.ts', 'site/explorer/view/b.tsx', 'README.md'].map(
    file,
  );
  expect(roomsKeepTheirBudgets(small, { build: 2, 'site/edge': 1 })).toEqual([
    'site/edge has 2 lines; its budget is 1',
    'site/explorer/view has 2 lines; its budget is 0',
  ]);
});

describe('the rules cover the project', () => {
  test.each([
    'build/cli/program.ts',
    'site/query/plan.ts',
    'scripts/start.ts',
    'test/house.test.ts',
    'vitest.config.ts',
  ])('%s', file => expect(sources.map(source => source.path)).toContain(file));

  test('and that each relative import leads to a file', () => {
    const files = new Set(texts.map(file => file.path));
    const broken = sources.flatMap(source =>
      source.imports.filter(one => one.target !== null && !files.has(one.target)).map(one => one.target),
    );
    expect(broken).toEqual([]);
  });
});

describe('no name of a machine or of a registry of packages', () => {
  test('holds', () => expect(filesKnowNoMachine(texts)).toEqual([]));

  test('can fail', () => {
    const text = ['see /wo', 'rk/a\nhttps://registry.npm', 'js.org/x\nhttps://example.org/work/b ../home/c'];
    expect(filesKnowNoMachine([{ path: 'a.md', text: text.join('') }])).toHaveLength(2);
  });
});

describe('documents and comments are in plain English', () => {
  test('holds', () => expect(textsArePlain(texts)).toEqual([]));

  test('can fail', () => {
    const lines = [
      '# A pipe is no file.',
      '  * All but for one, of then.',
      "const kind = 'folder'; # whoever reads it stands here",
      "const said = 'whoever is no reader stands here';",
      '# There is no file, and it is no longer in the list; * stands for each.',
    ];
    const text = lines.join('\n').replaceAll('#', '//');
    const found = textsArePlain([{ path: 'a.ts', text }]).map(one => one.replace(/ says.*/, ''));
    expect(found).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:2', 'a.ts:3', 'a.ts:3']);
  });
});

describe('package-lock.json', () => {
  const lock = readJson('package-lock.json');
  const bad = {
    packages: {
      '': {},
      'node_modules/a': { integrity: 'sha512-a', optionalDependencies: { b: '1', c: '1' } },
      'node_modules/b': { resolved: 'https://example.org/b.tgz' },
    },
  };

  test.each([
    ['names no host', lockNamesNoHost, 'node_modules/b is resolved to https://example.org/b.tgz'],
    ['has the hash of every package', lockHasHashes, 'node_modules/b has no hash'],
    [
      'has the packages of every platform',
      lockHasEveryPlatform,
      'node_modules/a needs c on some platform, and it is not locked',
    ],
  ] as const)('%s', (_, rule, found) => {
    expect(rule(lock)).toEqual([]);
    expect(rule(bad)).toEqual([found]);
  });
});

test('site/query is compiled without the types of Node and of a browser', () => {
  const { compilerOptions, include } = readJson('site/query/tsconfig.json');
  expect(compilerOptions.types).toEqual([]);
  expect(compilerOptions.lib).toEqual(['ES2022']);
  expect(include).toEqual(['.']);
  expect(readJson('package.json').scripts.types).toContain('site/query/tsconfig.json');
});
