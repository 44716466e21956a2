/** A dimension that no domain owns stands under each domain that joins it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { buildPublisher, contents, readTreeJson, verify } from '../publishers/built-tree.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, REGIONS } from '../publishers/weather.ts';

const ISLANDS = REGIONS.replaceAll('regions', 'islands');

test('with the same bytes, its route under the first of them', async () => {
  const { out } = await publish();
  const manifest = await readTreeJson<TreeManifest>(out, 'manifest.json');
  expect(manifest.dimensions.map(one => one.key)).toEqual([
    'climate/_dimensions/regions',
    'climate/_dimensions/stations',
    'transit/_dimensions/regions',
  ]);
  for (const name of ['rows.json', 'rows.csv', 'rows.parquet', 'schema.json', 'manifest.json']) {
    const [one, other] = ['climate', 'transit'].map(domain =>
      readFile(path.join(out, `api/v1/${domain}/_dimensions/regions`, name)),
    );
    expect((await one)?.equals((await other) ?? Buffer.of())).toBe(true);
  }
  expect(await readTreeJson<object>(out, 'api/v1/transit/_dimensions/regions/schema.json')).toMatchObject({
    scope: 'global',
    endpoint: '/api/v1/climate/_dimensions/regions',
  });
  await verify(out);
});

test('and under those alone that are published', async () => {
  const { out } = await publish('transit/*');
  const schema = await readTreeJson<object>(out, 'api/v1/transit/_dimensions/regions/schema.json');
  expect(schema).toMatchObject({ endpoint: '/api/v1/transit/_dimensions/regions' });
  expect(Object.keys(await contents(out)).filter(name => /climate\/_dimensions\/regions/.test(name))).toEqual(
    [],
  );
});

test('one that nothing joins stands nowhere', async () => {
  const { out } = await publish();
  expect(Object.keys(await contents(out)).filter(name => /islands|\/\//.test(name))).toEqual([]);
  expect(await readTreeJson<object>(out, 'healthz.json')).toMatchObject({ dimensions: 2 });
});

async function publish(only: string | null = null): Promise<{ out: string }> {
  const contracts = { ...CONTRACTS, 'islands.yaml': ISLANDS };
  const lake = { ...LAKE, '_dimensions/islands.parquet': LAKE['_dimensions/regions.parquet']! };
  const publisher = await writePublisher(await temporaryFolder(), contracts, lake);
  await buildPublisher(publisher, { only });
  return publisher;
}
