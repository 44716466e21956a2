import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckdb, temporaryFolder } from '../publishers/publisher-folder.ts';
import { isInstalled } from '../tree/mirror-hosts.ts';
import { type Host, startEdgeHost, startPlainHost, useHost } from './browser.ts';
import { useExplored } from './explored-tree.ts';

const run = promisify(execFile);

const DATASET = 'education/attendance';
const sample = useExplored();

/** Code of a page as a reader gets it to paste: the placeholder is replaced as the page's script does. */
async function snippets(host: Host): Promise<ReadonlyMap<string, string>> {
  const html = await (await fetch(`${host.url}datasets/${DATASET}/`)).text();
  const blocks = html.matchAll(/data-label="([^"]*)"><pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs);
  return new Map(
    [...blocks].map(([, label = '', code = '']) => [
      label.replace('Code for ', ''),
      code
        .replaceAll(/<span class="tree-address">[^<]*<\/span>/g, host.url)
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    ]),
  );
}

describe.each([
  ['civic serve', startEdgeHost],
  ['a server of files, under a sub-path', (tree: string) => startPlainHost(tree, { base: '/repo/' })],
] as const)('code of a page of %s', (_, start) => {
  const host = useHost(() => start(sample.tree));
  let code: ReadonlyMap<string, string>;
  let folder: string;
  beforeAll(async () => {
    code = await snippets(host);
    folder = await temporaryFolder('never');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const shell = (text: string) => run('sh', ['-ec', text], { cwd: folder });
  const published = (file: string) => readFile(path.join(sample.tree, 'api/v1', DATASET, file), 'utf8');

  test('is there for every language', () => {
    const names = ['curl', 'wget', 'DuckDB', 'pandas', 'polars', 'R', 'JavaScript'];
    expect([...code.keys()]).toEqual([...names, 'Citation', 'Citation as BibTeX']);
    for (const each of names) expect(code.get(each)).toContain(host.url);
  });

  test.skipIf(!isInstalled('curl'))(
    'curl fetches a file and proves it, or says that it is not the published one',
    async () => {
      const curl = code.get('curl') ?? '';
      expect((await shell(curl)).stdout).toContain('schools.csv: OK');
      expect(await readFile(path.join(folder, 'schools.csv'), 'utf8')).toBe(
        await published('year=2024/schools.csv'),
      );
      await expect(shell(curl.replace(/echo '\w{8}/, "echo '00000000"))).rejects.toThrow(/did NOT match/);
    },
  );

  test.skipIf(!isInstalled('wget'))('wget fetches every CSV file', async () => {
    await shell(code.get('wget') ?? '');
    const files = (await readdir(folder, { recursive: true })).filter(file =>
      /year=\d+\/\w+\.csv$/.test(file),
    );
    expect(files).toHaveLength(21 * 3);
    const one = files.find(file => file.endsWith('year=2004/districts.csv')) ?? '';
    expect(await readFile(path.join(folder, one), 'utf8')).toBe(await published('year=2004/districts.csv'));
  });

  test.skipIf(!isInstalled('curl'))('DuckDB reads all years, and codes are text', async () => {
    const sql = code.get('DuckDB') ?? '';
    const [, fetching = ''] = /^-- (curl .*)$/m.exec(sql) ?? [];
    await shell(fetching);
    const rows = await duckdb(`SET file_search_path = '${folder}'; ${sql}`);
    expect(rows).toHaveLength(10);
    expect(rows[0]).toMatchObject({ year: 2004, district_code: '601', school_code: '0101' });
  });

  test('JavaScript fetches every row, and codes are text', async () => {
    const file = path.join(folder, 'rows.mjs');
    await writeFile(file, code.get('JavaScript') ?? '');
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout).toMatch(/^960 \{/);
    expect(stdout).toContain("school_code: '0101'");
  });

  test.skipIf(!isInstalled('python3'))('Python is Python', async () => {
    for (const each of ['pandas', 'polars']) {
      const text = code.get(each) ?? '';
      await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', text]);
      for (const column of ['district_code', 'school_code', 'demographic'])
        expect(text).toContain(`"${column}"`);
    }
  });
});
