/** Contracts and rows whose texts reorder the line around them, and the policy of every page of their tree. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notFoundPage } from '../../build/catalog/not-found-page.ts';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';
import { PUBLISHER, RAINFALL } from '../publishers/weather.ts';
import { buildExplored } from './explored-tree.ts';
import { HOSTILE_CONTRACTS, HOSTILE_LAKE } from './hostile.ts';

/** An override, an embedding, isolates and marks. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const TURNED = 'Rain \u202edecnuonna\u202c \u2067and\u2069 \u200fmore\u061c';
const SHOWN = 'Rain \\u202edecnuonna\\u202c \\u2067and\\u2069 \\u200fmore\\u061c';

let publisher: PublisherFolder;
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  const turned = JSON.stringify(TURNED);
  publisher = await buildExplored(
    {
      ...HOSTILE_CONTRACTS,
      'publisher.yaml': PUBLISHER.replace(/^service: .*/m, `service: ${turned}`),
      'rain/rainfall.yaml': RAINFALL.replace('value: Rainfall }', `value: ${turned} }`)
        .replace('value: Rain of a season. }', `value: ${turned} }`)
        .replace('validValues: [all, wet, dry]', `validValues: [all, wet, dry, ${turned}]`),
    },
    HOSTILE_LAKE,
  );
  const names = await readdir(publisher.out, { recursive: true });
  const read = names
    .filter(name => name.endsWith('.html'))
    .map(async name => [name, await readFile(path.join(publisher.out, name), 'utf8')] as const);
  pages = new Map(await Promise.all(read));
}, 120_000);
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

test('pages show what would reorder a line, and documents keep it', async () => {
  for (const [name, page] of pages) expect([name, REORDERING.exec(page)]).toEqual([name, null]);
  expect(pages.get('datasets/climate/rainfall/index.html')).toContain(SHOWN);
  expect(pages.get('api/v1/index.html')).toContain(SHOWN);
  const schema = await readFile(
    path.join(publisher.out, 'api/v1/datasets/climate/rainfall/index.json'),
    'utf8',
  );
  expect(JSON.parse(schema)).toMatchObject({ title: TURNED });
});

test('JSON in a page still means the same text', () => {
  const page = pages.get('datasets/climate/rainfall/index.html') ?? '';
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(json)).toMatchObject({ name: expect.stringContaining(TURNED) });
});

describe('policies', () => {
  const policyOf = (page: string) =>
    (/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll(
      '&#39;',
      "'",
    );

  test('every page has one before it loads anything, folder listings too', () => {
    expect(pages.size).toBeGreaterThan(20);
    for (const [name, page] of pages) {
      const policy = policyOf(page);
      expect([name, policy]).toEqual([name, expect.stringMatching(/^default-src '(none|self)'/)]);
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval|\*|https?:/);
      const head = page.slice(0, page.indexOf('Content-Security-Policy'));
      expect(head).not.toMatch(/<(script|style|link|img)/);
    }
  });

  test('a listing allows its own style by its hash, and no other', () => {
    const listing = pages.get('api/v1/climate/rainfall/index.html') ?? '';
    const notFound = notFoundPage({
      publisher: { service: TURNED },
      sample: false,
      basePath: '/',
      datasets: [],
    } as unknown as Parameters<typeof notFoundPage>[0]);
    expect(notFound).not.toMatch(REORDERING);
    for (const page of [listing, notFound]) {
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(style).not.toBe('');
      expect(policyOf(page)).toContain(`style-src 'sha256-${hash}'`);
    }
  });
});
