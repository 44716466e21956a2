/** Words that would tie the generic half to one publisher, or a file to one machine. */
import type { Contracts } from '../../build/contract/dataset.ts';
import type { SourceRule } from './import-rules.ts';
import type { TextFile } from './project-files.ts';
import type { Word } from './source.ts';

/**
 * Names of our contracts that are also English, TypeScript's or the format's own. Where a new name of a contract is
 * reported in code that does not mean it, it belongs here, with the meaning that the code gives it. A name of several
 * words never does.
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

/** Domains, and names of datasets, dimensions, levels and columns: whatever says whose data it is. */
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

/** Comments may give examples; code, its literals and its templates may not know them. */
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

/** Spelled in parts, so that this file does not break the rule it holds. */
const REGISTRIES = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['npm', 'pkg', 'github', 'com'],
].map(parts => parts.join('.'));
const MACHINE = ['work', 'root', 'Users', 'home'].map(folder => `/${folder}`);

const MACHINE_PATH = new RegExp(`(?<![\\w.:~*)}/-])(${MACHINE.join('|')})/`);

/** No file says where it was written, or from where its packages came. */
export function filesKnowNoMachine(texts: readonly TextFile[]): string[] {
  return texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const word = REGISTRIES.find(host => line.includes(host)) ?? MACHINE_PATH.exec(line)?.[0];
      return word === undefined ? [] : [`${path}:${index + 1} says ${word}`];
    }),
  );
}
