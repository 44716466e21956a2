/** The page that checks figures, in Chromium, on a host that only serves files: it sends what the disk has. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { formatPublicKey, generateKey, publicKeyOf } from '../../build/log/log-key.ts';
import { logFiles, parseBundle } from '../../build/log/release-log.ts';
import { rootOf } from '../../site/explorer/app/check/signed-log.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import {
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, overflow, startEdgeHost, startPlainHost, visit } from './browser.ts';
import { openPages } from './explored-tree.ts';

const { key: signingKey } = generateKey('data.example.org');
const { key: forger } = generateKey('data.example.org');
const KEY = formatPublicKey(publicKeyOf(signingKey, 'signer'));
const RAIN = 'climate/rainfall';
const FILE = `api/v1/${RAIN}/year=2021/regions.csv`;
const BUNDLE = 'log/tile/entries/000.p/3';

/** Inputs and roots that implementations of RFC 6962 share as test vectors. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];

test.each([
  [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  [6, '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
])('the root over %s entries is that of the published vectors', async (size, root) => {
  const entries = LEAVES.slice(0, size).map(hex => new Uint8Array(Buffer.from(hex, 'hex')));
  expect(await rootOf(entries)).toBe(root);
});

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
const forge: Change = async tree => {
  const entries = parseBundle(await readFile(path.join(tree, BUNDLE))) ?? [];
  await rm(path.join(tree, 'log'), { recursive: true });
  for (const [name, bytes] of logFiles(entries, forger)) {
    await mkdir(path.dirname(path.join(tree, name)), { recursive: true });
    await writeFile(path.join(tree, name), bytes);
  }
};

describe.skipIf(CHROMIUM === null)('in Chromium', () => {
  let publisher: PublisherFolder;
  beforeAll(async () => {
    publisher = await writePublisher(await temporaryFolder('never'));
    for (const words of ['First.', 'Second.', 'Third.']) {
      const text = PUBLISHER.replace(/^description:.*$/m, `description: ${words}`);
      await writeTexts(publisher.contracts, { 'publisher.yaml': text });
      await buildPublisher(publisher, { pages: openPages(), signingKey });
    }
  });
  afterAll(() => rm(publisher.root, { recursive: true, force: true }));

  /** What the page finds in a copy of the tree that `change` has changed. */
  async function check(change: Change, key: string, isEdge: boolean) {
    const tree = path.join(await temporaryFolder(), 'tree');
    await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
    await change(tree);
    const host = await (isEdge ? startEdgeHost(tree) : startPlainHost(tree, { base: '/repo/' }));
    onTestFinished(host.close);
    const page = await visit(`${host.url}check/#dataset=${RAIN}`, { expected: /Failed to load resource/ });
    await page.getByLabel('public key').fill(key);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const status = page.locator('#check-status', { hasText: /sound|wrong/ });
    await status.waitFor();
    const findings = page.locator('#check-findings li');
    const wrong = page.locator('#check-findings li[data-verdict=wrong]');
    return {
      page,
      status: await status.textContent(),
      findings: await findings.allTextContents(),
      verdicts: await findings.evaluateAll(all => all.map(one => (one as HTMLElement).dataset['verdict'])),
      wrong: await wrong.allTextContents(),
    };
  }

  test.each([false, true])(
    'a signed tree is sound, with the fingerprint of its key; on an edge: %s',
    async isEdge => {
      const { page, status, findings, verdicts } = await check(nothing, KEY, isEdge);
      expect(verdicts).toEqual(Array(5).fill('sound'));
      expect(status).toContain('Everything is sound');
      expect(findings[2]).toMatch(/All \d+ files of the dataset/);
      expect(findings[3]).toContain('is entry 3 of 3 in the log');
      expect(findings[4]).toMatch(
        /data\.example\.org\+[0-9a-f]{8} .* fingerprint \(SHA-256\) is [0-9a-f]{64}/,
      );
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    },
  );

  const NO_ROOT = expect.stringContaining('do not give the root');
  const OTHER_KEY = expect.stringContaining('The log is not signed with the key');
  test.each<[string, Change, string, unknown[]]>([
    ['a flipped bit of a file', flip(FILE), KEY, [expect.stringMatching(`1 of .*${FILE}`)]],
    [
      'a flipped bit of a manifest',
      flip(`api/v1/${RAIN}/manifest.json`),
      KEY,
      [expect.stringContaining('is not the file that manifest.json lists')],
    ],
    [
      'a flipped bit of the root manifest',
      flip('manifest.json'),
      KEY,
      expect.arrayContaining([expect.stringContaining('manifest.json')]),
    ],
    ['a flipped bit of a logged release', flip(BUNDLE), KEY, expect.arrayContaining([NO_ROOT])],
    ['a checkpoint of another key', forge, KEY, [OTHER_KEY]],
    [
      'a log that leaves releases out',
      edit('log/checkpoint', text => text.replace('\n3\n', '\n2\n')),
      KEY,
      expect.arrayContaining([NO_ROOT, OTHER_KEY]),
    ],
    [
      'no log, though there is a key',
      unsign,
      KEY,
      [expect.stringContaining('although its publisher has a key')],
    ],
    [
      'a text that is no key',
      nothing,
      'data.example.org+00000000+AAAA',
      [expect.stringContaining('is no public key')],
    ],
  ])('%s is found', async (_, change, key, wrong) => {
    const found = await check(change, key, false);
    expect(found.wrong).toEqual(wrong);
    expect(found.status).toContain('Something is wrong');
  });

  test('a flipped bit is found behind an edge too', async () => {
    const { wrong, status } = await check(flip(FILE), KEY, true);
    expect([wrong, status]).toEqual([
      [expect.stringMatching(`1 of .*${FILE}`)],
      expect.stringContaining('Something is wrong'),
    ]);
  });

  test.each([
    ['a log that anyone may have signed', forge, 'Give the publisher’s public key'],
    ['no log', unsign, 'Nobody signed'],
  ])('without a key the page does not claim to know of %s', async (_, change, last) => {
    const { wrong, status, findings } = await check(change, '', false);
    expect([wrong, status]).toEqual([[], expect.stringContaining('Not all could be checked')]);
    expect(findings.at(-1)).toContain(last);
  });
});
