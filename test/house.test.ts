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
  filesKnowNoMachine,
  genericHalfIsGeneric,
  lockProblems,
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

const QUICK_RULE = 'quick tests need no compiled program, no browser and no server';
const RULES: Readonly<Record<string, SourceRule>> = {
  'build/format imports nothing outside itself but the package of schemas': IMPORT_RULES.formatIsAlone,
  'site takes only types from schemas': IMPORT_RULES.siteHasNoSchemas,
  'rooms of build import in one direction, types included': IMPORT_RULES.roomsFollowOneAnother,
  'every file of build is in a room of the list': IMPORT_RULES.everyRoomIsListed,
  'build/contract and the renderers of build/documents read no file and no row':
    IMPORT_RULES.contractAndRenderersArePure,
  'site/query imports nothing but itself and build/format': IMPORT_RULES.queryIsAlone,
  'a request walks through site/edge in one direction, and stored, cut and scan are siblings':
    IMPORT_RULES.walkIsStraight,
  'an import names what it imports': IMPORT_RULES.namesAreWritten,
  [QUICK_RULE]: quickTestsStartNothing(QUICK),
  'no file or folder is called utils, helpers, common or manager': namesSaySomething,
  'only build/cli/program.ts, build/cli/terminal.ts and the adapters of hosts print or exit':
    onlyTheOutermostPrints,
  'texts of the interface are in the catalogue': textsAreInTheCatalogue,
  'the generic half knows nothing of Georgia': genericHalfIsGeneric(ownNames(contracts)),
};

/** The lines that break each rule, by its name. */
const VIOLATIONS = new Map(
  readFileSync(path.join(ROOT, 'test/house/violations.txt'), 'utf8')
    .split('\n\n')
    .slice(1)
    .map(text => {
      const [name = '', ...lines] = text.trimEnd().split('\n');
      return [name, lines] as const;
    }),
);

test('every rule has lines that break it', () =>
  expect([...VIOLATIONS.keys()].sort()).toEqual(Object.keys(RULES).sort()));

for (const [name, rule] of Object.entries(RULES))
  describe(name, () => {
    test('holds', () => expect(rule(sources)).toEqual([]));

    test('can fail', () => {
      const files = new Map<string, string[]>();
      const wrong: string[] = [];
      for (const row of VIOLATIONS.get(name) ?? []) {
        const [, file = '', line = ''] = /^ *(\S+) (.*)$/.exec(row) ?? [];
        files.set(file, [...(files.get(file) ?? []), line]);
        if (row.endsWith(' // no')) wrong.push(`${file}:${files.get(file)?.length}`);
      }
      const small = name === QUICK_RULE ? quickTestsStartNothing(['test/a.test.ts']) : rule;
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

test('package-lock.json names no host, and has the hash of every package and the packages of every platform', () => {
  expect(lockProblems(readJson('package-lock.json'))).toEqual([]);
  const packages = {
    '': {},
    'node_modules/a': { integrity: 'sha512-a', optionalDependencies: { b: '1', c: '1' } },
    'node_modules/b': { resolved: 'https://example.org/b.tgz' },
  };
  expect(lockProblems({ packages })).toEqual([
    'node_modules/a needs c on some platform, and it is not locked',
    'node_modules/b is resolved to https://example.org/b.tgz',
    'node_modules/b has no hash',
  ]);
});

test('site/query is compiled without the types of Node and of a browser', () => {
  const { compilerOptions, include } = readJson('site/query/tsconfig.json');
  expect(compilerOptions.types).toEqual([]);
  expect(compilerOptions.lib).toEqual(['ES2022']);
  expect(include).toEqual(['.']);
  expect(readJson('package.json').scripts.types).toContain('site/query/tsconfig.json');
});
