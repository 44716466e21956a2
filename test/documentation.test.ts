/** What README.md, CONTRIBUTING.md and data/README.md say, held against the project. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseContracts } from '../build/contract/parse-contracts.ts';
import { readContractFolder } from '../build/contract-folder.ts';
import { datasets as samples } from '../scripts/georgia/sample/datasets.ts';
import { listFiles, ROOT } from './house/project-files.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const readme = read('README.md');
const contributing = read('CONTRIBUTING.md');
const manifest = JSON.parse(read('package.json'));
const { contracts } = parseContracts(readContractFolder(path.join(ROOT, 'contracts')));

/** The text beneath a heading, up to the next heading of any depth. */
function section(document: string, heading: string): string {
  return document.split(`\n### ${heading}\n`)[1]?.split(/\n#+ /)[0] ?? '';
}

/** The first cells of a table's rows that are written as code, without the marks. */
function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| (`.*?`) \|/gm)].flatMap(row =>
    [...(row[1] ?? '').matchAll(/`([^`]+)`/g)].map(cell => cell[1] ?? ''),
  );
}

describe('the list of datasets', () => {
  const sampled = new Set(samples.map(sample => sample.key));
  const keys = contracts.datasets.map(dataset => dataset.key);

  test('served are those with a contract and a sample', () =>
    expect(firstCells(section(readme, 'Served'))).toEqual(keys.filter(key => sampled.has(key))));

  test('the others with a contract are not yet served', () =>
    expect(firstCells(section(readme, 'Not yet served'))).toEqual(keys.filter(key => !sampled.has(key))));

  test('titles and levels are the contracts', () => {
    const rows = contracts.datasets
      .filter(dataset => sampled.has(dataset.key))
      .map(dataset => [dataset.key, dataset.title, dataset.levels.join(', ')]);
    const cells = [...section(readme, 'Served').matchAll(/^\| `(.*?)` \| (.*?) \| .*? \| (.*?) \|/gm)];
    expect(cells.map(row => row.slice(1))).toEqual(rows);
  });
});

describe.each(listFiles().filter(file => /^([A-Z]+|data\/README|build\/format\/FORMAT)\.md$/.test(file)))(
  '%s',
  file => {
    const text = read(file);

    test('its links lead to files', () => {
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(link => link[1] ?? '');
      const dead = links.filter(link => !existsSync(path.join(ROOT, path.dirname(file), link)));
      expect(dead).toEqual([]);
    });

    test('its npm commands exist', () => {
      const named = [...text.matchAll(/\bnpm run ([a-z][a-z:]*)/g)].map(command => command[1] ?? '');
      expect(named.filter(name => !(name in manifest.scripts))).toEqual([]);
    });

    test('is plain text without em-dashes', () => expect(text).not.toMatch(/\u2014/));
  },
);

test('every dependency has its line', () => {
  const named = firstCells(contributing.split('\n## Dependencies\n')[1] ?? '');
  expect(named.sort()).toEqual(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).sort());
});

test('every command and exit code of civic is described', () => {
  const sources = ['build/cli.ts', 'build/commands/lake-commands.ts', 'build/commands/tree-commands.ts'];
  const program = sources.map(read).join('\n');
  const commands = [...program.matchAll(/\.command\('([a-z]+)'\)/g)].map(found => found[1] ?? '');
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.filter(name => !readme.includes(`npx civic ${name} `))).toEqual([]);
  const codes = [...program.matchAll(/^ {2}(\d) {2}(.+)$/gm)];
  expect(codes.length).toBeGreaterThan(3);
  expect(codes.filter(([, code, meaning]) => !readme.includes(`| ${code} | ${meaning} |`))).toEqual([]);
});
