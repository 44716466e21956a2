/** Every text of the interface has words in every language. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { explain } from '../../site/explorer/app/explanation.tsx';
import { EngineError } from '../../site/explorer/engine/engine.ts';
import { type Messages, written } from '../../site/explorer/messages/en.ts';
import { CATALOGUES, speakLanguage } from '../../site/explorer/messages/languages.ts';
import { kindOf } from '../../site/explorer/pages/search-index.ts';
import { textsOf } from './catalogue-texts.ts';

const { en, es } = CATALOGUES;

describe.each([
  ['en', en],
  ['es', es],
])('%s', (_, catalogue) => {
  test.each(['0', '1', '2'])('has words for %s', count => {
    const texts = [...textsOf(catalogue, count)];
    const silent = texts.filter(([, text]) => !/\S/.test(text) || /undefined|null|\[object/.test(text));
    expect(silent.filter(([name]) => !EXPECTED.test(name))).toEqual([]);
    expect(texts.length).toBeGreaterThan(300);
  });
});

/** JSON's null; a table, which every dataset has; a quarter 0, which doesn't exist. */
const EXPECTED = /^(dataset\.null(Withheld|Missing)|view\.absent\.table|timeline\.(shortQ|q)uarter)$/;

test('the languages have the same texts, with the same elements in them', () => {
  const shape = (catalogue: Messages) =>
    [...textsOf(catalogue, '2')].map(([name, text]) => [name, (text.match(/\{\w+\}/g) ?? []).sort()]);
  expect(shape(es)).toEqual(shape(en));
});

test('no text is unused', () => {
  const folder = path.resolve(import.meta.dirname, '../../site/explorer');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/messages\/(en|es)\.ts$/.test(file))
    .map(file => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
  /** Whether code names the text, takes it out of its group, or picks from the whole group. */
  const isShown = (group: string, name: string) =>
    [`\\b${group}\\.${name}\\b`, `\\{[^{}]*\\b${name}\\b[^{}]*\\} = t\\.${group}\\b`, `\\.${group}\\[`].some(
      use => new RegExp(use).test(sources),
    );
  const groups = Object.entries(en).filter(([, of]) => typeof of === 'object');
  const texts = groups.flatMap(([group, of]) => Object.keys(of).map(name => [group, name] as const));
  expect(texts.filter(([group, name]) => !isShown(group, name))).toEqual([]);
  expect(isShown('sql', 'nosuch')).toBe(false);
});

test('a script uses only the texts that its page loads', () => {
  const rooms = path.resolve(import.meta.dirname, '../../site/explorer');
  const said = ['app', 'engine', 'panel', 'view'].flatMap(room =>
    readdirSync(path.join(rooms, room), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.tsx?$/.test(name))
      .flatMap(name => {
        const text = readFileSync(path.join(rooms, room, name), 'utf8');
        return [...text.matchAll(/\bt\.(\w+)/g)].map(([, part = '']) => [`${room}/${name}`, part] as const);
      }),
  );
  expect(said.filter(([, part]) => Object.hasOwn(written, part))).toEqual([]);
  expect(said.length).toBeGreaterThan(20);
});

test.each([
  ['condados', 'condado'],
  ['escuelas', 'escuela'],
  ['distritos escolares', 'distrito escolar'],
  ['regiones', 'región'],
  ['sectores censales', 'sector censal'],
])('one of the %s is a %s', (plural, one) => expect(es.singular(plural)).toBe(one));

test('a kind of places is found in a Spanish title', () => {
  expect(es.kindIn('Condados de Arcadia', 'Arcadia')).toBe('Condados');
  expect(es.kindIn('Condados', 'Arcadia')).toBe(null);
  expect(es.kindIn('Arcadia counties', 'Arcadia')).toBe('counties');
});

test('an error of each kind has a text', () => {
  expect(explain(new EngineError({ kind: 'dataset', key: 'a/b' }))).toBe('There is no dataset a/b.');
  expect(explain(new EngineError({ kind: 'rows', status: null, silence: null }))).toMatch(
    /could not be read\. The host cannot be reached/,
  );
  expect(explain(new EngineError({ kind: 'select' }))).toMatch(/Only one SELECT/);
});

test.each([
  ['en', 'Arcadia counties', 'county'],
  ['es', 'Arcadia counties', 'county'],
  ['es', 'Condados de Arcadia', 'condado'],
  ['en', 'Condados de Arcadia', 'condado'],
  ['es', 'Escuelas', 'escuela'],
])('in %s, one of the %s is a %s', (language, title, one) => {
  speakLanguage(language);
  expect(kindOf(title, ['Arcadia'])).toBe(one);
  speakLanguage('en');
});
