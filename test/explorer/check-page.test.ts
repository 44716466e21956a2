/** The page that checks figures, in Chromium, on a host that only serves files: it sends what the disk has. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { CONTRACTS, PUBLISHER } from '../publishers/weather.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, launchBrowser, openPage, startEdgeHost, startPlainHost } from './browser.ts';
import { openPages, overflow } from './explored-tree.ts';

const { key: signingKey } = generateKey('data.example.org');
const KEY = formatPublicKey(publicKeyOf(signingKey, 'signer'));
const RAIN = 'climate/rainfall';

/** Inputs and roots that implementations of RFC 6962 share as test vectors. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
const ROOTS: Readonly<Record<number, string>> = {
  0: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  1: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  3: 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  6: '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  7: 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
};

test.each(Object.entries(ROOTS))(
  'the root over %s entries is that of the published vectors',
  async (size, root) => {
    const entries = LEAVES.slice(0, Number(size)).map(hex => new Uint8Array(Buffer.from(hex, 'hex')));
    expect(await rootOf(entries)).toBe(root);
  },
);

describe.skipIf(CHROMIUM === null)('in Chromium', () => {
  let browser: Browser;
  let publisher: PublisherFolder;
  beforeAll(async () => {
    browser = await launchBrowser();
    publisher = await writePublisher(await temporaryFolder('never'));
    for (const words of ['First.', 'Second.', 'Third.']) {
      const text = PUBLISHER.replace(/^description:.*$/m, `description: ${words}`);
      await writeTexts(publisher.contracts, { ...CONTRACTS, 'publisher.yaml': text });
      await buildPublisher(publisher, { pages: openPages(), signingKey });
    }
  });
  afterAll(async () => {
    await browser.close();
    await rm(publisher.root, { recursive: true, force: true });
  });

  /** What the page finds in a copy of the tree that `change` has changed. */
  async function check(change: (tree: string) => Promise<void>, { key = KEY, edge = false } = {}) {
    const tree = path.join(publisher.root, 'changed');
    await rm(tree, { recursive: true, force: true });
    await mkdir(tree);
    await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
    await change(tree);
    const host = await (edge ? startEdgeHost(tree) : startPlainHost(tree, { base: '/repo/' }));
    const { page, faults } = await openPage(browser, `${host.url}check/#dataset=${RAIN}`);
    await page.getByLabel('public key').fill(key);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.waitForFunction(() =>
      /sound|wrong/.test(document.querySelector('#check-status')?.textContent ?? ''),
    );
    const findings = await page.locator('#check-findings li').evaluateAll(items =>
      items.map(item => ({
        verdict: (item as HTMLElement).dataset['verdict'],
        text: item.textContent ?? '',
      })),
    );
    return {
      findings,
      faults,
      page,
      wrong: findings.filter(({ verdict }) => verdict === 'wrong').map(({ text }) => text),
      status: await page.locator('#check-status').textContent(),
      close: async () => {
        await page.context().close();
        await host.close();
      },
    };
  }
  const flip = (name: string) => async (tree: string) => {
    const file = path.join(tree, name);
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file, bytes);
  };
  const nothing = async () => undefined;

  test.each([false, true])(
    'a signed tree is sound, with the fingerprint of its key; on an edge: %s',
    async edge => {
      const { findings, faults, page, status, close } = await check(nothing, { edge });
      expect(findings.map(({ verdict }) => verdict)).toEqual(Array(5).fill('sound'));
      expect(status).toContain('Everything is sound');
      expect(findings[2]?.text).toMatch(/All \d+ files of the dataset/);
      expect(findings[3]?.text).toContain('is entry 3 of 3 in the log');
      expect(findings[4]?.text).toMatch(
        /data\.example\.org\+[0-9a-f]{8} .* fingerprint \(SHA-256\) is [0-9a-f]{64}/,
      );
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
      await close();
    },
  );

  test('one flipped bit of a file is found by its name, on files and behind an edge', async () => {
    const file = `api/v1/${RAIN}/year=2021/regions.csv`;
    for (const edge of [false, true]) {
      const { wrong, status, close } = await check(flip(file), { edge });
      expect(wrong).toEqual([expect.stringContaining(`1 of`)]);
      expect(wrong[0]).toContain(file);
      expect(status).toContain('Something is wrong');
      await close();
    }
  });

  test('a flipped bit of a manifest, of the list of hashes and of a logged release is found', async () => {
    for (const [name, said] of [
      [`api/v1/${RAIN}/manifest.json`, 'is not the file that manifest.json lists'],
      ['manifest.json', 'manifest.json'],
      ['log/tile/entries/000.p/3', 'do not give the root'],
    ] as const) {
      const { wrong, close } = await check(flip(name));
      expect(wrong.join(), name).toContain(said);
      await close();
    }
  });

  test('a checkpoint of another key, and a log that leaves releases out, are found', async () => {
    const { key: forger } = generateKey('data.example.org');
    const rewrite = (key: typeof signingKey, drop: number) => async (tree: string) => {
      const entries = parseBundle(await readFile(path.join(tree, 'log/tile/entries/000.p/3'))) ?? [];
      await rm(path.join(tree, 'log'), { recursive: true });
      for (const [name, bytes] of logFiles(entries.slice(drop), key)) {
        await mkdir(path.dirname(path.join(tree, name)), { recursive: true });
        await writeFile(path.join(tree, name), bytes);
      }
    };
    const forged = await check(rewrite(forger, 0));
    expect(forged.wrong).toEqual([expect.stringContaining('The log is not signed with the key')]);
    await forged.close();
    // Without the publisher's key nobody can tell, and the page does not claim it.
    const trusting = await check(rewrite(forger, 0), { key: '' });
    expect([trusting.wrong, trusting.status]).toEqual([
      [],
      expect.stringContaining('Not all could be checked'),
    ]);
    expect(trusting.findings.at(-1)?.text).toContain('Give the publisher’s public key');
    await trusting.close();
    const edited = await check(async tree => {
      const file = path.join(tree, 'log/checkpoint');
      await writeFile(file, (await readFile(file, 'utf8')).replace('\n3\n', '\n2\n'));
    });
    expect(edited.wrong.join()).toContain('do not give the root');
    expect(edited.wrong.join()).toContain('The log is not signed with the key');
    await edited.close();
  });

  test('a tree without a log says that nobody signed it; a text that is no key is said to be none', async () => {
    const unsign = async (tree: string) => {
      await rm(path.join(tree, 'log'), { recursive: true });
      const sums = path.join(tree, 'SHA256SUMS');
      await writeFile(sums, (await readFile(sums, 'utf8')).replace(/^.* {2}log\/.*\n/gm, ''));
    };
    const plain = await check(unsign, { key: '' });
    expect([plain.wrong, plain.findings.at(-1)?.text]).toEqual([
      [],
      expect.stringContaining('Nobody signed'),
    ]);
    await plain.close();
    const keyed = await check(unsign);
    expect(keyed.wrong).toEqual([expect.stringContaining('although its publisher has a key')]);
    await keyed.close();
    const odd = await check(nothing, { key: 'data.example.org+00000000+AAAA' });
    expect(odd.wrong).toEqual([expect.stringContaining('is no public key')]);
    await odd.close();
  });
});
