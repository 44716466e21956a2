/** Figures are checked against hashes and the signed log: what is found in a tree, and what the page says. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPublicKey, generateKey, publicKeyOf } from '../../build/log/signed-note.ts';
import { checkTree, type Finding } from '../../site/explorer/app/check.tsx';
import { keptSigned } from '../publishers/kept-trees.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import {
  accessibilityFindings,
  CHROMIUM,
  overflow,
  startEdgeHost,
  startPlainHost,
  visit,
} from './browser.ts';

const OTHER = formatPublicKey(publicKeyOf(generateKey('data.example.org').key, 'signer'));
const RAIN = 'climate/rainfall';
const FILE = `api/v1/${RAIN}/year=2021/regions.csv`;
const BUNDLE = 'log/tile/entries/000.p/2';

const releases = await keptSigned();

type Change = (tree: string) => Promise<void>;

const nothing: Change = async () => undefined;
const edit =
  (name: string, change: (text: string) => string): Change =>
  async tree => {
    const file = path.join(tree, name);
    await writeFile(file, change(await readFile(file, 'latin1')), 'latin1');
  };
const flip = (name: string) =>
  edit(name, text => {
    const half = text.length >> 1;
    return text.slice(0, half) + String.fromCharCode(text.charCodeAt(half) ^ 1) + text.slice(half + 1);
  });
const unsign: Change = async tree => {
  await rm(path.join(tree, 'log'), { recursive: true });
  await edit('SHA256SUMS', text => text.replace(/^.* {2}log\/.*\n/gm, ''))(tree);
};
const shorten = edit('log/checkpoint', text => text.replace('\n2\n', '\n1\n'));

/** A host of a changed copy of the tree. */
async function hostOf(change: Change, start = startPlainHost): Promise<string> {
  const tree = path.join(await temporaryFolder(), 'tree');
  await cp(releases.out, tree, { recursive: true, preserveTimestamps: true });
  await change(tree);
  return (await start(tree)).url;
}

async function check(url: string, key = releases.key): Promise<Finding[]> {
  const { signal } = new AbortController();
  const input = { root: new URL(url), dataset: RAIN, key, signal, onProgress: () => undefined };
  const found: Finding[] = [];
  for await (const one of checkTree(input)) found.push(one);
  return found;
}

const NO_ROOT = 'do not give the root';
const OTHER_KEY = 'The log is not signed with the key';
const DAMAGED = new RegExp(`1 of .*${FILE}`);
const NO_KEY = 'data.example.org+00000000+AAAA';

test.each<[string, Change, (string | RegExp)[], (string | undefined)?, typeof startEdgeHost?]>([
  ['a flipped bit of a file', flip(FILE), [DAMAGED]],
  ['a flipped bit of a file behind an edge', flip(FILE), [DAMAGED], undefined, startEdgeHost],
  ['a flipped bit of a manifest', flip(`api/v1/${RAIN}/manifest.json`), ['is not the file that manifest']],
  [
    'a root manifest that is no JSON',
    edit('manifest.json', text => text.slice(1)),
    ['manifest.json is missing or damaged'],
  ],
  [
    'a byte more of it',
    edit('manifest.json', text => `${text}\n`),
    ['is not the file that SHA256SUMS lists'],
  ],
  ['a flipped bit of a logged release', flip(BUNDLE), [NO_ROOT]],
  ['a checkpoint of another key', nothing, [OTHER_KEY], OTHER],
  ['a log that leaves releases out', shorten, [NO_ROOT, OTHER_KEY]],
  ['no log, though there is a key', unsign, ['Nobody signed']],
  ['a text that is no key', nothing, ['is no public key'], NO_KEY],
])('%s is found', async (_, change, wrong, key, start) => {
  const found = await check(await hostOf(change, start), key);
  const texts = found.flatMap(({ verdict, text }) => (verdict === 'wrong' ? [text] : []));
  expect(texts).toEqual(wrong.map(words => expect.stringMatching(words)));
});

test.each([
  ['a log that anyone may have signed', nothing, 'Give the publisher’s public key'],
  ['no log', unsign, 'Nobody signed'],
])('without a key nothing is claimed of %s', async (_, change, last) => {
  const found = await check(await hostOf(change), '');
  expect(found.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  expect(found.at(-1)).toMatchObject({ verdict: 'unknown', text: expect.stringContaining(last) });
});

describe.skipIf(CHROMIUM === null)('the page in Chromium', () => {
  test('says which files are sound and which are not, on a host of files under a sub-path', async () => {
    let folder = '';
    const remember: Change = async tree => {
      folder = tree;
    };
    const url = await hostOf(remember, tree => startPlainHost(tree, { base: '/repo/' }));
    const page = await visit(`${url}check/#dataset=${RAIN}`);
    const ask = async (words: string) => {
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.locator('#check-status', { hasText: words }).waitFor();
      const findings = page.locator('#check-findings li');
      const verdicts = findings.evaluateAll(all => all.map(one => one.getAttribute('data-verdict')));
      return [await findings.allTextContents(), await verdicts] as const;
    };
    await page.getByLabel('public key').fill(releases.key);
    const [texts, verdicts] = await ask('Everything is sound');
    expect(verdicts).toEqual(Array(5).fill('sound'));
    expect(texts[2]).toMatch(/All \d+ files of the dataset/);
    expect(texts[3]).toContain('is entry 2 of 2 in the log');
    expect(texts[4]).toMatch(/data\.example\.org\+[0-9a-f]{8} .* fingerprint \(SHA-256\) is [0-9a-f]{64}/);
    await page.getByLabel('public key').fill('');
    expect((await ask('Not all could be checked'))[1].at(-1)).toBe('unknown');
    await flip(FILE)(folder);
    const [found, wrong] = await ask('Something is wrong');
    expect([found[2], wrong[2]]).toEqual([expect.stringMatching(DAMAGED), 'wrong']);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});
