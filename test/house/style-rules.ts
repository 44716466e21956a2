/** Rules about names, sizes and texts of files, and about the lock file. */
import type { Contracts } from '../../build/contract/dataset.ts';
import type { SourceRule } from './import-rules.ts';
import type { TextFile } from './project-files.ts';
import type { Word } from './source.ts';

/** Names that say nothing about the content. */
const VAGUE = /^(utils?|helpers?|commons?|managers?|misc)$/;

/** The parts of a path, without the endings of a file's name: `site/query/plan.test.ts` is site, query, plan. */
function partsOf(file: string): string[] {
  const parts = file.split('/');
  parts.push((parts.pop() ?? '').replace(/(\.(test|config|d))?\.tsx?$/, ''));
  return parts;
}

export const namesSaySomething: SourceRule = sources =>
  sources
    .filter(source => partsOf(source.path).some(part => part.split('-').some(word => VAGUE.test(word))))
    .map(source => source.path);

/** Expected failures are values; only the outermost layer prints or exits. On a host that is its adapter. */
const OUTERMOST =
  /^(build\/cli\/(launcher|program|command-run|query-command|terminal)\.ts|site\/edge\/adapters\/[^/]+)$/;

export const onlyTheOutermostPrints: SourceRule = sources =>
  sources
    .filter(({ path }) => /^(build|site)\//.test(path) && !OUTERMOST.test(path))
    .flatMap(({ path, outputs }) => outputs.map(line => `${path}:${line} prints or exits`));

/** A room is a folder of a half, and one of the explorer a folder more; a half's own files are a room too. */
const ROOM = /^(?:(?:build|scripts|site(?:\/explorer)?)(?:\/[^/.]+(?=\/))?|test(?=\/))/;

/** Lines of TypeScript and CSS by room. */
export function linesByRoom(texts: readonly TextFile[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const { path, text } of texts) {
    const [room] = (/\.(tsx?|css)$/.test(path) && ROOM.exec(path)) || [];
    if (room) lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1);
  }
  return lines;
}

/** Rooms with more lines than their budget, and rooms without a budget. */
export function roomsKeepTheirBudgets(
  texts: readonly TextFile[],
  budgets: Readonly<Record<string, number>>,
): string[] {
  return [...linesByRoom(texts)].flatMap(([room, lines]) => {
    const budget = budgets[room] ?? 0;
    return lines > budget ? [`${room} has ${lines} lines; its budget is ${budget}`] : [];
  });
}

/** Rooms of the explorer whose texts are in the catalogue. */
const ROOMS = ['pages', 'app', 'engine', 'panel', 'view'];

/** Names that are the same in every language. */
const NAMES = ['SHA-256', 'BibTeX', 'JSON', 'DuckDB', 'Parquet', 'GET', 'ms', 'NULL'];

const FILE = /\b[\w-]+\.(json|xml|sql|csv)\b/g;

export const textsAreInTheCatalogue: SourceRule = sources =>
  sources
    .filter(({ path }) => ROOMS.some(room => path.startsWith(`site/explorer/${room}/`)))
    .flatMap(({ path, shown }) =>
      shown
        .filter(({ text }) => /\p{L}/u.test(withoutNames(text)))
        .map(({ text, line }) => `${path}:${line} shows ${JSON.stringify(text.trim())}`),
    );

function withoutNames(text: string): string {
  return NAMES.reduce((rest, name) => rest.replaceAll(name, ''), text.replace(FILE, ''));
}

/**
 * Names of our contracts that are also English, TypeScript's or the format's own. If a contract's new name is
 * reported in code that means something else, add it here with that meaning. A name of several words never
 * belongs here.
 */
const GENERIC: ReadonlyMap<string, string> = new Map([
  ['year', 'every dataset has one; the format fixes its name'],
  ['demographic', 'a role of the contract dialect'],
  ['subject', 'what a check is about'],
  ['states', 'the verb: what a contract states'],
  ['progress', 'of a build'],
  ['quarter', 'a period that the rows of a dataset may be about'],
  ['month', 'a period that the rows of a dataset may be about'],
]);

/** Domains, and names of datasets, dimensions, levels and columns. */
export function ownNames({ datasets, dimensions }: Contracts): Set<string> {
  const ofDatasets = datasets.flatMap(dataset => [
    dataset.domain,
    dataset.topic,
    ...dataset.levels,
    ...dataset.columns.map(column => column.name),
    ...dataset.foreignKeys.flatMap(foreignKey => foreignKey.attributeColumns),
  ]);
  const ofDimensions = [...dimensions.values()].flatMap(dimension => [
    dimension.name,
    ...dimension.columns.map(column => column.name),
  ]);
  return new Set([...ofDatasets, ...ofDimensions].filter(name => !GENERIC.has(name)));
}

/** The state's name, its postal code, and the codes of its counties, tracts and block groups. */
const STATE = /georgia|(?<![\w.])(US[-_])?GA(?!\w)|(?<![\w.])13(\d{3}|\d{9,10})(?!\w)/i;
const STATE_CODE = '13';

/** Comments may give examples; code, literals and templates may not. */
export function genericHalfIsGeneric(names: ReadonlySet<string>): SourceRule {
  return sources =>
    sources
      .filter(source => /^(build|site)\//.test(source.path))
      .flatMap(source =>
        source.words.flatMap(word =>
          ownWords(word, names).map(own => `${source.path}:${word.line} says ${own}`),
        ),
      );
}

function ownWords({ text }: Word, names: ReadonlySet<string>): string[] {
  const snake = text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const found = (snake.match(/[a-z0-9_]+/g) ?? []).filter(word => names.has(word));
  const state = text === STATE_CODE ? STATE_CODE : STATE.exec(text)?.[0];
  return state === undefined ? found : [...found, state];
}

/** In parts, so that this file doesn't break its own rule. */
const REGISTRIES = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['npm', 'pkg', 'github', 'com'],
].map(parts => parts.join('.'));
const MACHINE = ['work', 'root', 'Users', 'home'].map(folder => `/${folder}`);

const MACHINE_PATH = new RegExp(`(?<![\\w.:~*)}/-])(${MACHINE.join('|')})/`);

/** No file says where it was written or where its packages came from. */
export function filesKnowNoMachine(texts: readonly TextFile[]): string[] {
  return texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const word = REGISTRIES.find(host => line.includes(host)) ?? MACHINE_PATH.exec(line)?.[0];
      return word === undefined ? [] : [`${path}:${index + 1} says ${word}`];
    }),
  );
}

/** Turns of phrase that nobody would say aloud, each with plain words for it. */
const MANNERED: readonly (readonly [habit: RegExp, plain: string])[] = [
  [/\bwhoever\b/i, 'anyone who'],
  [/\bbut for\b/i, 'except'],
  [/\bof then\b|\bof today\b(?![’'])/i, 'earlier, of that time; now, current'],
  // There is no other way to say that something is absent, or no longer.
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|less|fewer|larger|smaller|later|worse|better)\b)/i,
    'is not a, has no',
  ],
  [/\bstands?\b(?!$| (?:in )?for\b)/i, 'is'],
];

/** Documents and comments are in plain English. The changelog is history. */
export function textsArePlain(texts: readonly TextFile[]): string[] {
  return texts
    .filter(({ path }) => /\.(md|tsx?)$/.test(path) && path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const [, own, trailing] = /^\s*(?:\/?\*\*?|\/\/)(.*)|\s\/\/ (.*)$/.exec(line) ?? [];
        const prose = path.endsWith('.md') ? line : (own ?? trailing ?? '');
        return MANNERED.filter(([habit]) => habit.test(prose)).map(
          ([habit, plain]) => `${path}:${index + 1} says “${habit.exec(prose)?.[0]}”: ${plain}`,
        );
      }),
    );
}

/** By folder: `node_modules/name`, `node_modules/name/node_modules/other`. */
interface Lock {
  readonly packages: Readonly<
    Record<string, { resolved?: string; integrity?: string; optionalDependencies?: Record<string, string> }>
  >;
}

/**
 * The lock file pins packages by hash, and lets each machine choose where to install from. npm leaves out
 * optional packages of other platforms that it can't find when it writes the file, and then `npm ci` refuses
 * the file on every platform.
 */
export function lockProblems({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([folder, { resolved, integrity, optionalDependencies = {} }]) => [
    ...(resolved === undefined ? [] : [`${folder} is resolved to ${resolved}`]),
    ...(folder === '' || integrity !== undefined ? [] : [`${folder} has no hash`]),
    ...Object.keys(optionalDependencies)
      .filter(name => !(`${folder}/node_modules/${name}` in packages || `node_modules/${name}` in packages))
      .map(name => `${folder} needs ${name} on some platform, and it is not locked`),
  ]);
}
