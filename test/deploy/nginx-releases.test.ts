/** nginx with the files of `civic build --host nginx`, installed once, through deployments and a rollback. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { civic } from '../cli/program.ts';
import { NGINX_MISSING, startRewriting } from '../conformance/rewrite-hosts.ts';
import { duckdb, newPublisher, writeRows } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { isInstalled } from '../tree/mirror-hosts.ts';
import { deploy } from './three-releases.ts';

const ROWS = '/api/v1/transit/trams?year=2022&detail=regions';
const MISSING = NGINX_MISSING || !isInstalled('rsync');

const SEVEN_AND_TWELVE = {
  ...LAKE,
  '_dimensions/regions.parquet':
    "SELECT code AS region_code, upper(code) AS region_name FROM (VALUES ('n'), ('s')) v(code) UNION ALL SELECT 'r' || i, 'R' || i FROM range(10, 20) t(i)",
};

const trams = (count: number) => ({
  'transit/trams/year=2022/regions.parquet': `SELECT 2022::INTEGER AS year, 'r' || i AS region_code, ${count}::BIGINT AS rides FROM range(10, ${8 + count}) t(i) UNION ALL SELECT 2022, unnest(['n', 's']), ${count}`,
});

test.skipIf(MISSING)(
  'answers from the table of the release that is online, and of each at its own address',
  async () => {
    const publisher = await newPublisher(CONTRACTS, SEVEN_AND_TWELVE);
    const { root, contracts, data, out } = publisher;
    const store = path.join(root, 'store');

    /** Builds the lake with so many rows, deploys the tree, and returns the release's name. */
    async function release(count: number, date: string): Promise<string> {
      await writeRows(data, trams(count));
      const places = ['--contracts', contracts, '--data', data, '--out', out];
      const built = await civic(['build', ...places, '--host', 'nginx', '--release-date', date]);
      expect([built.code, built.stderr]).toEqual([0, expect.anything()]);
      const sent = await deploy([out, store]);
      expect([sent.code, sent.output]).toEqual([0, expect.stringContaining('is online')]);
      return JSON.parse(await readFile(path.join(out, 'manifest.json'), 'utf8')).release;
    }

    const seven = await release(7, '2031-05-17');
    const files = await Promise.all(
      ['nginx.conf', 'civic-njs.js'].map(async name => ({
        path: name,
        text: await readFile(path.join(`${out}.host`, name), 'utf8'),
      })),
    );
    const nginx = await startRewriting(files, store, path.join(root, 'nginx'));
    onTestFinished(() => nginx.close());
    /** The number of rows, or the negative status. */
    const countRows = async (url: string): Promise<number> => {
      const { status, body } = await nginx.ask(url);
      return status === 200 ? JSON.parse(body.toString()).data.length : -status;
    };

    expect(await countRows(`${ROWS}&limit=7`)).toBe(7);
    const twelve = await release(12, '2031-05-18');
    expect(await countRows(ROWS)).toBe(12);
    const { status, body } = await nginx.ask(`${ROWS}&limit=7`);
    const plan = JSON.parse(body.toString());
    expect([status, plan.residual.limit]).toEqual([501, 7]);
    const sql = plan.sql.replaceAll(`http://127.0.0.1:${nginx.port}`, path.join(store, 'current'));
    expect((await duckdb(sql)).map(row => Number(row['rides']))).toEqual(Array(7).fill(12));
    expect(await countRows(`/releases/${seven}${ROWS}&limit=7`)).toBe(7);
    expect(await countRows(`/releases/${twelve}${ROWS}&limit=7`)).toBe(-501);
    expect(await countRows(`/releases/${twelve}${ROWS}`)).toBe(12);

    // Also after a rollback; and no answer mixes two releases during a switch.
    let going = true;
    const seen = new Set<number>();
    const reader = (async () => {
      while (going) seen.add(await countRows(`${ROWS}&limit=7`));
    })();
    for (const to of [seven, twelve, seven, twelve, seven]) {
      expect(await deploy(['--rollback', to, store])).toMatchObject({ code: 0 });
      expect(await countRows(ROWS)).toBe(to === seven ? 7 : 12);
    }
    going = false;
    await reader;
    expect([...seen].sort()).toEqual([-501, 7]);
  },
  180_000,
);
