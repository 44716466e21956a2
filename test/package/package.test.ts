/** The npm package in an unrelated folder: its content, its exports, and Node 20, 22 and 24. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { keptFolder } from '../kept-folder.ts';
import { PATIENCE } from '../patience.ts';
import { contents } from '../publishers/built-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const MODULES = path.join(PROJECT, 'node_modules');
const run = promisify(execFile);
/** Without the variables that npm gives to scripts. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

interface Packed {
  readonly size: number;
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

let folder: string;
let packed: Packed;

/** Puts the packed files where `npm install` does, with only the packages that package.json names. */
beforeAll(async () => {
  folder = await temporaryFolder();
  await run(process.execPath, [path.join(MODULES, 'typescript/bin/tsc'), '-p', 'tsconfig.exports.json'], {
    cwd: PROJECT,
  });
  await run(process.execPath, ['lib/scripts/sbom.js'], { cwd: PROJECT });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: PROJECT, env: ENV, maxBuffer: 1e8 });
  packed = JSON.parse(stdout)[0];
  const modules = path.join(folder, 'node_modules');
  const own = path.join(modules, 'civic-data-service');
  await mkdir(own, { recursive: true });
  await run('tar', ['-xzf', path.join(folder, packed.filename), '-C', own, '--strip-components=1']);
  const { dependencies } = JSON.parse(await readFile(path.join(own, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await symlink(path.join(MODULES, name), path.join(modules, name));
  }
});

const PROGRAM = 'node_modules/civic-data-service/lib/bin/civic.js';

async function civic(node: string, cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(node, [path.join(folder, PROGRAM), ...args], { cwd, env: ENV });
  return stdout;
}

/** A folder with a table that a version of Node drafted and built. */
async function drafted(node: string): Promise<string> {
  const { stdout } = await run(node, ['--version']);
  const own = path.join(folder, `on-${stdout.trim()}`);
  if (existsSync(own)) return own;
  await mkdir(own);
  await writeFile(path.join(own, 'air.csv'), 'day,place,value\n2024-01-01,007,1.5\n2024-01-02,007,2\n');
  await civic(node, own, 'init', 'air.csv');
  await civic(node, own, 'build', '--release-date', '2031-05-17');
  return own;
}

/** Another version of Node from npm; null if it isn't available. */
async function nodeOf(version: number): Promise<string | null> {
  if (process.version.startsWith(`v${version}.`)) return process.execPath;
  try {
    const kept = await keptFolder(`node-${version}`, ['test/package/package.test.ts'], async out => {
      await mkdir(out, { recursive: true });
      await writeFile(path.join(out, 'package.json'), '{}');
      // Only the package with the program: its parent's script would copy it.
      const name = `node-${process.platform}-${process.arch}@${version}`;
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', name], {
        cwd: out,
        env: ENV,
        timeout: PATIENCE,
      });
    });
    return path.join(kept, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  } catch {
    return null;
  }
}

test('it has the program and the guides, and nothing else', async () => {
  const engine = packed.files.find(file => /duckdb-.*\.gz$/.test(file.path))?.size ?? 0;
  expect(packed.size).toBeLessThan(12e6);
  expect(packed.size - engine).toBeLessThan(4e6);
  const folders = [...new Set(packed.files.map(file => file.path.split('/').slice(0, 2).join('/')))];
  expect([...new Set(folders.map(one => one.replace(/^docs\/.*/, 'docs')))].sort().join(' ')).toBe(
    '.github/lake.sh .github/workflows CHANGELOG.md CONTRIBUTING.md LICENSE README.md build/format ' +
      'contracts/_dimensions contracts/census contracts/publisher.yaml data/README.md docs lib/bin lib/bundled ' +
      'lib/explorer lib/explorer.json lib/sbom.cdx.json lib/types lib/workers package.json',
  );
  const text = await readFile(path.join(folder, 'node_modules/civic-data-service/package.json'), 'utf8');
  expect(JSON.parse(text)).not.toHaveProperty('private');
  // npm would warn about scripts that installing runs.
  const atInstall = /^((pre|post)?install|(pre|post)?prepare|prepublish)$/;
  expect(Object.keys(JSON.parse(text).scripts).filter(name => atInstall.test(name))).toEqual([]);
  expect(packed.files.filter(file => /georgia|\.test\.|sample/i.test(file.path))).toEqual([]);
});

test('its bill of materials has what npm installs and what the bundles contain, and no folder or registry', async () => {
  const own = path.join(folder, 'node_modules/civic-data-service');
  const text = await readFile(path.join(own, 'lib/sbom.cdx.json'), 'utf8');
  const { bomFormat, metadata, components, dependencies } = JSON.parse(text) as {
    readonly [name: string]: unknown;
    readonly metadata: { readonly component: { readonly name: string } };
    readonly components: readonly { readonly name: string; readonly 'bom-ref': string }[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'civic-data-service']);
  const names = components.map(one => one.name);
  const manifest = JSON.parse(await readFile(path.join(own, 'package.json'), 'utf8'));
  expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  // A package that only another bundled one needs, what is copied, and the native modules of every system.
  const bundled = ['@codemirror/view', '@lezer/lr', '@duckdb/duckdb-wasm', 'dejavu-fonts-ttf', 'us-atlas'];
  expect(names).toEqual(expect.arrayContaining([...bundled, '@duckdb/node-bindings-darwin-arm64']));
  expect(names.filter(name => /^(vitest|vite|rolldown|typescript|s3rver|@types\/.*)$/.test(name))).toEqual(
    [],
  );
  const refs = new Set([
    ...components.map(one => one['bom-ref']),
    ...dependencies.slice(0, 1).map(one => one.ref),
  ]);
  expect(dependencies.flatMap(one => [one.ref, ...one.dependsOn]).filter(ref => !refs.has(ref))).toEqual([]);
  expect(text).not.toContain(PROJECT);
  expect([...text.matchAll(/https?:\/\/[^/"]+/g)].map(([address]) => address)).toEqual([
    'http://cyclonedx.org',
  ]);
});

test('every link of its guides leads to a file that it has', async () => {
  const held = packed.files.map(file => file.path);
  const guides = held.filter(file => file.endsWith('.md'));
  expect(guides.length).toBeGreaterThan(15);
  for (const guide of guides) {
    const text = await readFile(path.join(folder, 'node_modules/civic-data-service', guide), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
      path.posix.join(path.posix.dirname(guide), link).replace(/\/$/, ''),
    );
    const dead = links.filter(link => !held.some(file => file === link || file.startsWith(`${link}/`)));
    expect([guide, dead]).toEqual([guide, []]);
  }
});

test("its exports work and have types, which don't need Node's", async () => {
  const script = `import { createFetchHandler, createListener, startServer } from 'civic-data-service/edge';
import { parseQuery, parseRequest, planRequest, prepareDataset, resolveRoute } from 'civic-data-service/query';
console.log([createFetchHandler, createListener, startServer, parseRequest, planRequest, prepareDataset].map(one => typeof one).join(), resolveRoute('/api/v1/datasets').kind, JSON.stringify(parseQuery('a=1')));`;
  await writeFile(path.join(folder, 'use.mjs'), script);
  const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder, env: ENV });
  expect(stdout).toBe(
    'function,function,function,function,function,function document [{"name":"a","value":"1"}]\n',
  );
  await writeFile(
    path.join(folder, 'use.mts'),
    `${script}
// @ts-expect-error A number is not a query.
parseQuery(1);
// @ts-expect-error A folder is needed.
createListener({});
export const answered: Promise<Response> = createFetchHandler({ folder: 'dist' })(new Request('https://x.example/'));
export const { url }: { readonly url: string } = await startServer({ folder: 'dist', port: 0, trustProxy: false });
`,
  );
  await writeFile(
    path.join(folder, 'serve.mts'),
    `import { createServer } from 'node:http';
import { createListener } from 'civic-data-service/edge';
createServer(createListener({ folder: 'dist', compress: true }));
`,
  );
  const tsc = (...options: string[]) =>
    run(
      process.execPath,
      [path.join(MODULES, 'typescript/bin/tsc'), '--noEmit', '--strict', '--target', 'es2023', ...options],
      { cwd: folder },
    );
  const lib = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--types', ''];
  await tsc('use.mts', '--module', 'esnext', '--moduleResolution', 'bundler', ...lib);
  await symlink(path.join(MODULES, '@types'), path.join(folder, 'node_modules/@types'));
  // Our own types are checked above, and Node's need no check.
  await tsc('use.mts', 'serve.mts', '--module', 'nodenext', '--types', 'node', '--skipLibCheck');
});

/** What Node 20 builds, by path; the others must write the same. */
let first: Record<string, string> | null = null;

test.for([20, 22, 24])(
  'on Node %i it drafts, builds and verifies, with the same bytes',
  async (version, context) => {
    const node = await nodeOf(version);
    if (node === null) return context.skip(`the npm package of Node ${version} cannot be had`);
    const own = await drafted(node);
    expect(path.basename(own)).toMatch(new RegExp(`^on-v${version}\\.`));
    expect((await readdir(own)).filter(name => !name.startsWith('.'))).toEqual([
      'air.csv',
      'contracts',
      'data',
      'dist',
    ]);
    expect(await civic(node, own, 'verify')).toContain('every hash is right');
    await civic(node, own, 'snapshot', '--out', 'tree.zip');
    const built = await contents(path.join(own, 'dist'));
    const all = { ...built, ...(await contents(path.join(own, 'contracts'))) };
    first ??= all;
    expect(all).toEqual(first);
  },
);

test('the programs of docs/embedding.md run', async () => {
  const own = await drafted(process.execPath);
  const text = await readFile(path.join(PROJECT, 'docs/embedding.md'), 'utf8');
  const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(found => found[1] ?? '');
  const printed: string[] = [];
  for (const [i, block] of blocks.entries()) {
    const asked = block.replace(
      /'(?<base>https:\/\/data.example.org)\/api\/v1\/census.*?'/,
      "base + '/api/v1/data/air?limit=1'",
    );
    const file = path.join(own, `program-${i}.mjs`);
    await writeFile(
      file,
      `import { startServer as serve } from 'civic-data-service/edge';
const { url: base } = await serve({ folder: 'dist', port: 0 });
${asked.replaceAll('8080', '0')}
process.exit(base === '' ? 1 : 0);
`,
    );
    printed.push((await run(process.execPath, [file], { cwd: own, env: ENV })).stdout.split('\n')[0] ?? '');
  }
  expect(printed).toEqual(['200 1', '', '', expect.stringMatching(/^facts \{/)]);
});
