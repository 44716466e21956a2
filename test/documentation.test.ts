/** README.md, CONTRIBUTING.md and the guides match the project. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseContracts } from '../build/contract/parse-contracts.ts';
import { groupDigits } from '../build/format/shown-text.ts';
import { HOSTS } from '../build/hosts/hosts.ts';
import { readContractFolder } from '../build/plan/build-input.ts';
import { COMMANDS_PAGE, commandsPage } from '../scripts/commands-page.ts';
import { datasets as samples } from '../scripts/georgia/sample/datasets.ts';
import { listFiles, ROOT } from './house/project-files.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** As `wc -w` counts. */
const wordsOf = (text: string): number => text.trim().split(/\s+/).length;

const readme = read('README.md');
const datasets = read('docs/datasets.md');
const contributing = read('CONTRIBUTING.md');
const dependencies = read('docs/dependencies.md');
const manifest = JSON.parse(read('package.json'));
const { contracts } = parseContracts(readContractFolder(path.join(ROOT, 'contracts')));

/** The text beneath a heading, up to the next heading of any depth. */
function section(document: string, heading: string): string {
  return document.split(`\n## ${heading}\n`)[1]?.split(/\n#+ /)[0] ?? '';
}

/** The code in the first cells of a table's rows, without the marks. */
function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| (`.*?`) \|/gm)].flatMap(row =>
    [...(row[1] ?? '').matchAll(/`([^`]+)`/g)].map(cell => cell[1] ?? ''),
  );
}

/** The anchors of a document's headings. */
function headings(document: string): string[] {
  return [...document.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the list of datasets', () => {
  const sampled = new Set(Object.keys(samples));
  const keys = contracts.datasets.map(dataset => dataset.key);

  test('served are those with a contract and a sample', () =>
    expect(firstCells(section(datasets, 'Served'))).toEqual(keys.filter(key => sampled.has(key))));

  test('the others with a contract are not yet served', () =>
    expect(firstCells(section(datasets, 'Not yet served'))).toEqual(keys.filter(key => !sampled.has(key))));

  test("levels are the contracts' own", () => {
    const rows = contracts.datasets
      .filter(dataset => sampled.has(dataset.key))
      .map(dataset => [dataset.key, dataset.levels.join(', ')]);
    const cells = [...section(datasets, 'Served').matchAll(/^\| `(.*?)` \| .*? \| (.*?) \|/gm)];
    expect(cells.map(row => row.slice(1))).toEqual(rows);
  });
});

describe.each(
  listFiles().filter(file => /^([A-Z]+|docs\/.+|data\/README|build\/format\/FORMAT)\.md$/.test(file)),
)('%s', file => {
  const text = read(file);

  test('its links lead to files', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(link => link[1] ?? '');
    const dead = links.filter(link => !existsSync(path.join(ROOT, path.dirname(file), link)));
    expect(dead).toEqual([]);
  });

  test('its links lead to headings', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const dead = links.filter(([, to = '', heading = '']) => {
      const target = to === '' ? text : read(path.join(path.dirname(file), to));
      return !headings(target).includes(heading);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  test('it names the package after npx, since `npx civic` may find another program', () =>
    expect(text.match(/npx civic(?![\w-])(?!` is the same).*|"npx", "civic"/g) ?? []).toEqual([]));

  test('its npm commands exist', () => {
    const named = [...text.matchAll(/\bnpm run ([a-z][a-z:]*)/g)].map(command => command[1] ?? '');
    expect(named.filter(name => !(name in manifest.scripts))).toEqual([]);
  });

  test('is plain text without em-dashes', () => expect(text).not.toMatch(/\u2014/));
});

test('every dependency has its line', () => {
  const named = firstCells(dependencies);
  expect(named.sort()).toEqual(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).sort());
});

test('CONTRIBUTING has at most 1,200 words', () => expect(wordsOf(contributing)).toBeLessThanOrEqual(1200));

test.each(['CONTRIBUTING.md', 'docs/developing.md'])('%s names files that exist', file => {
  const files = new Set(listFiles());
  const folders = [...files].map(file => path.dirname(file));
  const named = [...read(file).matchAll(/`([\w.-]+(?:\/[\w.<>-]+)*\/?)`/g)].map(found => found[1] ?? '');
  const paths = named.filter(
    name => /\/|\.(ts|tsx|md|yaml)$/.test(name) && !/[<>]|^data\/lake|^lib\/|^api\//.test(name),
  );
  const missing = paths.filter(name => {
    const plain = name.replace(/\/$/, '');
    const known = (one: string) => one === plain || one.endsWith(`/${plain}`);
    return (
      ![...files].some(known) && !folders.some(folder => known(folder) || folder.startsWith(`${plain}/`))
    );
  });
  expect(paths.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('README is a page, the guides have 13,120 words, and README leads to each', () => {
  expect(wordsOf(readme)).toBeLessThan(600);
  const guides = listFiles().filter(file => /^docs\/.+\.md$/.test(file));
  expect(guides.length).toBeGreaterThan(5);
  expect(guides.map(file => wordsOf(read(file))).reduce((a, b) => a + b)).toBeLessThanOrEqual(13_120);
  expect(guides.filter(file => !readme.includes(`](${file})`))).toEqual([]);
});

test.each(Object.values(HOSTS))(
  'docs/hosting.md has a row for $name, with its limits',
  ({ name, limits }) => {
    const { files, bytesPerFile, bytesInAll } = limits;
    const said = [
      bytesInAll < Number.POSITIVE_INFINITY && `${bytesInAll / 1e9} GB`,
      files < Number.POSITIVE_INFINITY && `${groupDigits(files)} files`,
      bytesPerFile < Number.POSITIVE_INFINITY && `${bytesPerFile / 2 ** 20} MiB a file`,
    ];
    const row = `| \`${name}\` | ${said.filter(Boolean).join(', ') || 'none'} |`;
    expect(read('docs/hosting.md')).toContain(row);
  },
);

test('docs/commands.md matches the help of the program; npm run docs writes it', () =>
  expect(readFileSync(COMMANDS_PAGE, 'utf8')).toBe(commandsPage()));
