import { execFile, execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { duckdb, temporaryFolder } from '../publishers/publisher-folder.ts';
import { type Host, startEdgeHost, startPlainHost } from './browser.ts';
import { openPages, SEARCHED } from './explored-tree.ts';

const run = promisify(execFile);
const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const DATASET = 'education/attendance';
const sample = useSampleTree(SEARCHED, { openPages });

const HOSTS = {
  'civic serve': (tree: string) => startEdgeHost(tree),
  'a server of files, under a sub-path': (tree: string) => startPlainHost(tree, { base: '/repo/' }),
};

/** Code of a page as a reader gets it to paste: the placeholder is replaced as the page's script does. */
async function snippets(host: Host, key = DATASET): Promise<ReadonlyMap<string, string>> {
  const html = await (await fetch(`${host.url}datasets/${key}/`)).text();
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

describe.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])('code of a page of %s', name => {
  let host: Host;
  let code: ReadonlyMap<string, string>;
  let folder: string;
  beforeAll(async () => {
    host = await HOSTS[name](sample.tree);
    code = await snippets(host);
    folder = await temporaryFolder('never');
  });
  afterAll(async () => {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  });
  const shell = (text: string) => run('sh', ['-ec', text], { cwd: folder });
  const published = (file: string) => readFile(path.join(sample.tree, 'api/v1', DATASET, file), 'utf8');

  test('is there for every language', () => {
    const names = ['curl', 'wget', 'DuckDB', 'pandas', 'polars', 'R', 'JavaScript'];
    expect([...code.keys()]).toEqual([...names, 'Citation', 'Citation as BibTeX']);
    for (const each of names) expect(code.get(each)).toContain(host.url);
  });

  test.skipIf(!has('curl'))('curl fetches a file and proves it', async () => {
    const { stdout } = await shell(code.get('curl') ?? '');
    expect(stdout).toContain('schools.csv: OK');
    expect(await readFile(path.join(folder, 'schools.csv'), 'utf8')).toBe(
      await published('year=2024/schools.csv'),
    );
  });

  test.skipIf(!has('curl'))('curl says so where a file is not the published one', async () => {
    const wrong = (code.get('curl') ?? '').replace(/echo '\w{8}/, "echo '00000000");
    await expect(shell(wrong)).rejects.toThrow(/did NOT match/);
  });

  test.skipIf(!has('wget'))('wget fetches every CSV file', async () => {
    await shell(code.get('wget') ?? '');
    const files = (await readdir(folder, { recursive: true })).filter(file =>
      /year=\d+\/\w+\.csv$/.test(file),
    );
    expect(files).toHaveLength(21 * 3);
    const one = files.find(file => file.endsWith('year=2004/districts.csv')) ?? '';
    expect(await readFile(path.join(folder, one), 'utf8')).toBe(await published('year=2004/districts.csv'));
  });

  test.skipIf(!has('curl'))('DuckDB reads all years, and codes are text', async () => {
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

  test.skipIf(!has('python3'))('Python is Python', async () => {
    for (const each of ['pandas', 'polars']) {
      const text = code.get(each) ?? '';
      await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', text]);
      for (const column of ['district_code', 'school_code', 'demographic'])
        expect(text).toContain(`"${column}"`);
    }
  });
});
