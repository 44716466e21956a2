/** The rules of the house, held against its sources; and each rule against a few lines that break it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseContracts } from '../build/contract/parse-contracts.ts';
import { readContractFolder } from '../build/input/contract-folder.ts';
import {
  IMPORT_RULES,
  packagesAreDeclared,
  quickTestsStartNothing,
  type SourceRule,
} from './house/import-rules.ts';
import { lockHasEveryPlatform, lockHasHashes, lockNamesNoHost } from './house/lock-rules.ts';
import { ROOT, readTexts, sourcesOf } from './house/project-files.ts';
import { parseSource } from './house/source.ts';
import {
  filesAreShort,
  namesAreKebab,
  namesSaySomething,
  noAny,
  noDefaultExports,
  onlyTheOutermostPrints,
} from './house/style-rules.ts';
import { filesKnowNoMachine, genericHalfIsGeneric, ownNames } from './house/word-rules.ts';
import { QUICK } from './quick-tests.ts';

const readJson = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

const texts = readTexts();
const sources = sourcesOf(texts);
const { contracts } = parseContracts(readContractFolder(path.join(ROOT, 'contracts')));
const topics = new Set(contracts.datasets.map(dataset => dataset.topic));
const manifest = { dependencies: { yaml: '2' }, devDependencies: { vitest: '4' } };
const lines = (count: number): string => '//\n'.repeat(count);

interface Row {
  readonly name: string;
  readonly rule: SourceRule;
  /** The rule as the fixture needs it, where it has a parameter. */
  readonly small?: SourceRule;
  /** Files that break the rule, and files that just keep it, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly found: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: 'build/format imports nothing outside itself',
    rule: IMPORT_RULES.formatIsAlone,
    files: {
      'build/format/a.ts': "import type { B } from './b.ts';\nimport { C } from '../c.ts';",
      'build/format/b.ts': "import 'node:path';",
    },
    found: ['build/format/a.ts:2 imports ../c.ts', 'build/format/b.ts:1 imports node:path'],
  },
  {
    name: 'build never imports site; only build/cli/program.ts joins the halves',
    rule: IMPORT_RULES.buildLeavesSite,
    files: {
      'build/a.ts': "export type { B } from '../site/b.ts';\ntype C = import('../site/c.ts').C;",
      'build/cli/program.ts': "await import('../site/b.ts');",
    },
    found: ['build/a.ts:1 imports ../site/b.ts', 'build/a.ts:2 imports ../site/c.ts'],
  },
  {
    name: 'site imports only build/format of build',
    rule: IMPORT_RULES.siteKnowsTheFormatAlone,
    files: {
      'site/a.ts':
        "import type { B } from '../build/format/b.ts';\nconst c = () => import('../build/lake/c.ts');",
    },
    found: ['site/a.ts:2 imports ../build/lake/c.ts'],
  },
  {
    name: 'only build/lake, the Node executor and the engine of the explorer import DuckDB',
    rule: IMPORT_RULES.duckdbHasThreeRooms,
    files: {
      'build/check/a.ts': "import type { DuckDBValue } from '@duckdb/node-api';",
      'build/lake/b.ts': "import { DuckDBInstance } from '@duckdb/node-api';",
      'site/edge/executors/duckdb.ts': "import { DuckDBInstance } from '@duckdb/node-api';",
      'site/edge/c.ts': "export * from '@duckdb/node-api';",
      'site/explorer/engine/d.ts': "import '@duckdb/duckdb-wasm/blocking';\nimport '@duckdb/node-api';",
    },
    found: [
      'build/check/a.ts:1 imports @duckdb/node-api',
      'site/edge/c.ts:1 imports @duckdb/node-api',
      'site/explorer/engine/d.ts:2 imports @duckdb/node-api',
    ],
  },
  {
    name: 'rooms of build import in one direction, types included',
    rule: IMPORT_RULES.roomsFollowOneAnother,
    files: {
      'build/plan/a.ts':
        "import type { B } from '../pipeline/b.ts';\nimport '../input/c.ts';\nimport './d.ts';",
      'build/tree/e.ts': "type F = import('../plan/f.ts').F;\nimport '../failure.ts';",
      'build/failure.ts': "export type { G } from './tree/g.ts';",
    },
    found: [
      'build/plan/a.ts:1 imports ../pipeline/b.ts',
      'build/tree/e.ts:1 imports ../plan/f.ts',
      'build/failure.ts:1 imports ./tree/g.ts',
    ],
  },
  {
    name: 'every file of build is in a room of the list',
    rule: IMPORT_RULES.everyRoomIsListed,
    files: { 'build/hall.ts': '', 'build/attic/a.ts': '', 'build/lake/b.ts': '' },
    found: ['build/hall.ts is in no room of build/', 'build/attic/a.ts is in no room of build/'],
  },
  {
    name: 'build/contract and build/catalog read no file and no row',
    rule: IMPORT_RULES.contractAndCatalogArePure,
    files: {
      'build/contract/a.ts': "import { readFile } from 'node:fs/promises';\nimport 'node:crypto';",
      'build/catalog/b.ts': "import type { Database } from '../lake/database.ts';",
    },
    found: [
      'build/contract/a.ts:1 imports node:fs/promises',
      'build/catalog/b.ts:1 imports ../lake/database.ts',
    ],
  },
  {
    name: 'site/query imports nothing but itself and build/format',
    rule: IMPORT_RULES.queryIsAlone,
    files: {
      'site/query/a.ts':
        "import './b.ts';\nimport '../../build/format/c.ts';\nimport '../edge/d.ts';\nimport 'yaml';",
    },
    found: ['site/query/a.ts:3 imports ../edge/d.ts', 'site/query/a.ts:4 imports yaml'],
  },
  {
    name: "site/edge knows Node in its adapters and DuckDB's executor alone",
    rule: IMPORT_RULES.edgeIsPortable,
    files: {
      'site/edge/a.ts': "import { createHash } from 'crypto';",
      'site/edge/adapters/node.ts': "import { createServer } from 'node:http';",
    },
    found: ['site/edge/a.ts:1 imports crypto'],
  },
  {
    name: 'a request walks through site/edge in one direction, and stored, cut and scan are siblings',
    rule: IMPORT_RULES.walkIsStraight,
    files: {
      'site/edge/respond/cut.ts': "import './scan.ts';\nimport './page.ts';",
      'site/edge/executors/a.ts': "import '../handler.ts';",
    },
    found: [
      'site/edge/respond/cut.ts:1 imports ./scan.ts',
      'site/edge/executors/a.ts:1 imports ../handler.ts',
    ],
  },
  {
    name: 'in site/explorer only the page maker knows Node, and nothing knows an adapter',
    rule: IMPORT_RULES.explorerIsPortable,
    files: {
      'site/explorer/page-maker.ts': "import 'node:fs';",
      'site/explorer/app/a.ts': "import 'node:fs';\nimport '../../edge/adapters/b.ts';",
    },
    found: [
      'site/explorer/app/a.ts:1 imports node:fs',
      'site/explorer/app/a.ts:2 imports ../../edge/adapters/b.ts',
    ],
  },
  {
    name: "the explorer's pages and views need no browser",
    rule: IMPORT_RULES.explorerViewIsPure,
    files: { 'site/explorer/view/a.ts': "import '../app/b.ts';\nimport '../pages/c.tsx';" },
    found: ['site/explorer/view/a.ts:1 imports ../app/b.ts'],
  },
  {
    name: 'nothing imports scripts or test',
    rule: IMPORT_RULES.scriptsAndTestsAreEnds,
    files: {
      'build/a.ts': "import '../scripts/b.ts';",
      'scripts/b.ts': "import './c.ts';\nimport '../test/d.ts';",
      'test/d.ts': "import '../scripts/b.ts';",
    },
    found: ['build/a.ts:1 imports ../scripts/b.ts', 'scripts/b.ts:2 imports ../test/d.ts'],
  },
  {
    name: 'an import names what it imports',
    rule: IMPORT_RULES.namesAreWritten,
    files: { 'build/a.ts': 'const load = (name: string) => import(name);' },
    found: ['build/a.ts:1 imports a computed name'],
  },
  {
    name: 'what is imported is in package.json, among the dependencies where it runs',
    rule: packagesAreDeclared(readJson('package.json')),
    small: packagesAreDeclared(manifest),
    files: {
      'build/a.ts': "import 'yaml';\nimport 'vitest';\nimport 'node:fs';",
      'test/b.ts': "import 'vitest/node';\nimport '@some/package/part.js';",
    },
    found: ['build/a.ts:2 imports vitest', 'test/b.ts:2 imports @some/package/part.js'],
  },
  {
    name: 'quick tests need no compiled program, no browser and no server',
    rule: quickTestsStartNothing(QUICK),
    small: quickTestsStartNothing(['test/a.test.ts', 'test/c.test.ts']),
    files: {
      'test/a.test.ts': "import './b.ts';\nimport '../build/lake/d.ts';",
      'test/b.ts': "import { spawn } from 'node:child_process';\nimport '../site/edge/adapters/node.ts';",
      'build/lake/d.ts': "import 'node:child_process';",
    },
    found: [
      'test/c.test.ts is not there',
      'test/b.ts:1 imports node:child_process',
      'test/b.ts:2 imports ../site/edge/adapters/node.ts',
    ],
  },
  {
    name: 'no import cycles',
    rule: IMPORT_RULES.noCycles,
    files: {
      'build/a.ts': "import './b.ts';",
      'build/b.ts': "import type { C } from './c.ts';",
      'build/c.ts': "import './b.ts';",
    },
    found: ['build/b.ts → build/c.ts → build/b.ts'],
  },
  {
    name: 'no file or folder is called utils, helpers, common or manager',
    rule: namesSaySomething,
    files: { 'build/common/a.ts': '', 'site/date-utils.ts': '', 'site/commonest.ts': '' },
    found: ['build/common/a.ts', 'site/date-utils.ts'],
  },
  {
    name: 'names are kebab-case',
    rule: namesAreKebab(topics),
    small: namesAreKebab(new Set(['bird_counts'])),
    files: {
      'build/readLake.ts': '',
      'site/Edge/a.ts': '',
      'scripts/bird_counts.ts': '',
      'test/georgia/specification/bird_counts.ts': '',
      'test/a-1.test.ts': '',
      'site/serve-handler.d.ts': '',
    },
    found: ['build/readLake.ts', 'site/Edge/a.ts', 'scripts/bird_counts.ts'],
  },
  {
    name: 'no default exports',
    rule: noDefaultExports,
    files: {
      'build/a.ts': 'export default 1;',
      'vitest.config.ts': 'export default {};',
      'site/edge/adapters/some-worker.ts': 'export default {};',
    },
    found: ['build/a.ts:1 has a default export'],
  },
  {
    name: 'no any',
    rule: noAny,
    files: { 'build/a.ts': '// any\nconst any = 1;\nexport const list = [any] as Array<any>;' },
    found: ['build/a.ts:3 uses the type any'],
  },
  {
    name: 'only build/cli/program.ts, build/cli/terminal.ts and the adapters of hosts print or exit',
    rule: onlyTheOutermostPrints,
    files: {
      'build/a.ts': "console.log('a');\nprocess.cwd();\nprocess.exit(1);",
      'build/cli/program.ts': 'process.exitCode = 1;',
      'site/edge/adapters/some-host.ts': "console.error('a');",
      'site/edge/b.ts': "console.error('b');",
      'scripts/b.ts': "process.stdout.write('b');",
    },
    found: [
      'build/a.ts:1 prints or exits',
      'build/a.ts:3 prints or exits',
      'site/edge/b.ts:1 prints or exits',
    ],
  },
  {
    name: 'files are short',
    rule: filesAreShort,
    files: { 'build/a.ts': lines(351), 'build/b.ts': lines(350), 'site/c.ts': '', 'test/d.ts': lines(999) },
    found: [
      'build/a.ts has 351 lines; the most is 350',
      'half of the files have 350 lines or more; the most is 150',
    ],
  },
  {
    name: 'the generic half knows nothing of Georgia',
    rule: genericHalfIsGeneric(ownNames(contracts)),
    files: {
      'build/a.ts': "// Georgia's county_fips\nconst countyFips = 1;\nconst b = 'census/employment';",
      'site/c.ts':
        "const place = year => `${year} 13001`;\nconst code = '13';\nconst state = 'GA';\nconst n = 13;",
      'scripts/d.ts': "const state = 'Georgia';",
    },
    found: [
      'build/a.ts:2 says county_fips',
      'build/a.ts:3 says census',
      'build/a.ts:3 says employment',
      'site/c.ts:1 says 13001',
      'site/c.ts:2 says 13',
      'site/c.ts:3 says GA',
    ],
  },
];

for (const { name, rule, small = rule, files, found } of rows) {
  describe(name, () => {
    test('holds', () => expect(rule(sources)).toEqual([]));

    test('can fail', () => {
      const fixture = Object.entries(files).map(([file, text]) => parseSource(file, text));
      expect(small(fixture)).toEqual(found);
    });
  });
}

describe('the rules see the project', () => {
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

describe('no word of a machine or of where packages come from', () => {
  test('holds', () => expect(filesKnowNoMachine(texts)).toEqual([]));

  test('can fail', () => {
    const text = ['see /wo', 'rk/a\nhttps://registry.npm', 'js.org/x\nhttps://example.org/work/b ../home/c'];
    expect(filesKnowNoMachine([{ path: 'a.md', text: text.join('') }])).toHaveLength(2);
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
