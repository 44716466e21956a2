/**
 * Runs every command of README and the guides in order, in a clone with two of the datasets, where npx has
 * installed nothing. The compile steps are real, because a command once broke what an earlier one had
 * repaired.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFiles, ROOT } from '../house/project-files.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { freePort } from '../served.ts';

/** Code blocks of a shell language, and inline commands of ours. */
const SHOWN =
  /^([ \t]*)```(?:sh|bash|shell)\n(.*?)^[ \t]*```$|`((?:npm (?:run|start|ci|test)|npx civic-data-service)\b[^`\n]*)`/gms;

/** A placeholder: FILE, DIR, `…`. */
const PLACEHOLDER = /(?<![\w-])[A-Z]{3,}(?![\w-])|…|^npx civic-data-service$/;

/** It begins in an empty folder. test/memory/walk-through.test.ts runs it and compares the output. */
const WALK_THROUGH = 'docs/corrections.md';
/** For contributors: some of its commands take hours. */
const DEVELOPING = 'docs/developing.md';
const DOCUMENTS = listFiles().filter(
  file => /^(README|docs\/[^/]+)\.md$/.test(file) && file !== WALK_THROUGH && file !== DEVELOPING,
);
const COMMANDS = [
  ...new Set(DOCUMENTS.flatMap(file => documentedCommands(fs.readFileSync(path.join(ROOT, file), 'utf8')))),
];

/** The datasets that README.md uses. All thirty take minutes more and show nothing more. */
const DATASETS = ['census/employment', 'education/attendance'];

/** Commands that don't run here, by reason. A pattern without a command fails. */
const LEFT_OUT: Readonly<Record<string, readonly RegExp[]>> = {
  '.ci/run begins with it, and compiles; the clone has what it makes': [/^npm ci$/],
  'npm start has written that lake; another command writes one with options': [/^npm run sample$/],
  'test/documentation.test.ts and test/contract compare what it writes': [/^npm run docs$/],
  'it needs an account; test/conformance runs the Worker, and test/deploy the function': [
    /wrangler|^cd dist\.host$/,
    /^aws /,
  ],
  'it changes this machine; test/conformance runs nginx on these files': [
    /^(cp|rm|nginx) .*(nginx|njs|-t$|reload$)/,
  ],
  'it is for people without a clone; test/package runs the package': [/^npm install civic-data-service$/],
  "its files are the reader's; docs/datasets.md imports some that are made here": [
    /^npm run import -- downloads\//,
  ],
  'a clone has contracts in its own folders; test/draft, test/cli/dev and test/package begin without': [
    /^npx civic-data-service (init|dev)\b/,
    /^npx civic-data-service (build|validate)$/,
  ],
  'it needs a server or a bucket; test/deploy brings releases to both': [
    /^npx civic-data-service deploy .*(@|s3:)/,
  ],
};
const PATTERNS = Object.values(LEFT_OUT).flat();

/** Programs that may be missing. */
const OPTIONAL = /^(wget|rclone)\b/;

/** Commands that keep running, and what they print when they are ready. */
const SERVER = /^(npm start|npx civic-data-service serve)\b/;
const READY = /Serving \S+ at (http:\S+)/;

const LEAST = 30;
const TIMEOUT = 600_000;

let root: string;
let clone: string;
let environment: NodeJS.ProcessEnv;
/** The port of the documents' own server, and the address of the one for data.example.org. */
let port = 0;
let example: string | null = null;
/** When the bundle in the clone's copy was made. */
let copied = 0;
/** Whether an npm command has compiled the program since the last use of npx. */
let compiled = true;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  root = await temporaryFolder();
  clone = path.join(root, 'clone');
  const isLeftOut = (file: string) =>
    /^contracts\/[a-z]+\/\w+\.odcs\.yaml$/.test(file) &&
    !DATASETS.some(key => file === `contracts/${key}.odcs.yaml`);
  for (const file of listFiles().filter(one => !isLeftOut(one)))
    fs.cpSync(path.join(ROOT, file), path.join(clone, file), { preserveTimestamps: true });
  fs.cpSync(path.join(ROOT, 'lib'), path.join(clone, 'lib'), { recursive: true, preserveTimestamps: true });
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
  fs.writeFileSync(path.join(clone, 'scripts/georgia/sample/datasets.ts'), SAMPLED);
  copied = bundledAt();
  port = await freePort();
  // A reader has no variables of a test runner or of the npm that started it.
  const foreign = /^(VITEST|NODE_ENV|NODE_OPTIONS|npm_)/i;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  // Variables for `--shard auto`.
  const scheduler = { CIVIC_SHARD_INDEX: '0', CIVIC_SHARD_TOTAL: '8' };
  environment = {
    ...Object.fromEntries(own),
    ...scheduler,
    npm_config_cache: path.join(root, 'npm'),
    PORT: String(port),
  };
});

afterAll(() => servers.forEach(stop));

test('there are commands, and each that is left out is one of them', () => {
  expect(COMMANDS.length).toBeGreaterThan(LEAST);
  expect(PATTERNS.filter(pattern => !COMMANDS.some(command => pattern.test(command)))).toEqual([]);
});

test.for(COMMANDS.filter(command => !PATTERNS.some(pattern => pattern.test(command))))(
  '%s',
  { timeout: TIMEOUT },
  async (command, context) => {
    const [program = ''] = command.split(' ');
    if (OPTIONAL.test(command) && (await ended(`command -v ${program}`)).code !== 0)
      return context.skip(`${program} is not installed`);
    if (/example\.org|my-lake/.test(command)) await standIn();
    if (SERVER.test(command)) {
      const url = await serve(throughNpx(command === 'npm start' ? command : withFreePort(command)));
      expect((await fetch(`${url.replace(/\/$/, '')}/healthz.json`)).status).toBe(200);
      if (command !== 'npm start') stop(servers.pop());
      return;
    }
    const here = command
      .replaceAll('https://data.example.org/', example ?? '')
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replaceAll('s3://my-bucket/lake', 'data/lake')
      .replace(/^curl /, 'curl --fail ');
    const { code, output } = await ended(throughNpx(here));
    expect(code, output).toBe(0);
  },
);

test('a command of npm bundles the program again only where a source has changed', {
  timeout: TIMEOUT,
}, async () => {
  // The first command of npm met the changed source of the sample.
  const bundled = bundledAt();
  expect(bundled).toBeGreaterThan(copied);
  const { code, output } = await ended('npm run --silent compile');
  expect(code, output).toBe(0);
  expect(bundledAt()).toBe(bundled);
});

const bundledAt = () => fs.statSync(path.join(clone, 'lib/bin/civic.js')).mtimeMs;

/**
 * npx takes longer to find the program than most commands take, so only the first command after a compilation
 * goes through it.
 */
function throughNpx(command: string): string {
  if (command.startsWith('npm ')) compiled = true;
  if (!command.startsWith('npx civic-data-service ')) return command;
  const found = compiled ? command : command.replace(/^npx civic-data-service /, 'lib/bin/civic.js ');
  compiled = false;
  return found;
}

/** What the documents call data.example.org, my-lake and published files. */
async function standIn(): Promise<void> {
  if (example !== null) return;
  const inClone = (name: string) => path.join(clone, name);
  // Later imports of other districts must leave every row with its dimensions.
  const filter = (file: string) => !/employment\/.*\/districts\.parquet$/.test(file);
  for (const folder of ['_dimensions', 'education/_dimensions', 'census/employment'])
    fs.cpSync(inClone(`data/lake/${folder}`), inClone(`my-lake/${folder}`), { recursive: true, filter });
  for (const [file, text] of Object.entries(SOURCES)) fs.writeFileSync(inClone(file), text);
  fs.cpSync(inClone('dist'), path.join(root, 'example'), { recursive: true });
  example = await serve('lib/bin/civic.js serve ../example --port 0');
  if (!example.endsWith('/')) example += '/';
}

const SAMPLED = fs.readFileSync(path.join(ROOT, 'scripts/georgia/sample/datasets.ts'), 'utf8').replace(
  /^export const datasets: Samples = (\{.*?\n\});/ms,
  `export const datasets: Samples = Object.fromEntries(
    ${JSON.stringify(DATASETS)}.map(key => [key, \`SELECT * FROM (\${($1)[key]}) WHERE year >= 2024\`]),
  );`,
);

/** Invented rows in the layout of the published files. */
const SOURCES = {
  'districts.csv': 'district_code,district_name\n601,One\n',
  'schools.csv': 'district_code,school_code,school_name\n601,0103,First\n',
  'Attendance_2023-24.csv':
    'LONG_SCHOOL_YEAR,DETAIL_LVL_DESC,SCHOOL_DSTRCT_CD,INSTN_NUMBER,STUDENT_COUNT_ALL,FIVE_OR_FEWER_PERCENT_ALL,SIX_TO_FIFTEEN_PERCENT_ALL,OVER_15_PERCENT_ALL,CHRONIC_ABSENT_PERC_ALL\n' +
    '2023-24,State,ALL,ALL,1000,40,40,20,25\n2023-24,District,601,ALL,1000,40,40,20,25\n2023-24,School,601,0103,1000,40,40,20,25\n',
};

const place = () => ({
  cwd: clone,
  env: environment,
  stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
});

/** `output` has both streams. */
async function ended(command: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], place());
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Starts a server, and returns its address when it is ready. */
function serve(command: string): Promise<string> {
  // A process group, because npm and its shell don't pass signals on.
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: clone,
    env: environment,
    detached: true,
  });
  servers.push(child);
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, url] = READY.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.on('error', reject);
    child.on('close', code => reject(new Error(`It ended with ${code}.\n${output}`)));
  });
}

function stop(server: ChildProcess | undefined): void {
  if (server?.pid !== undefined && server.exitCode === null) process.kill(-server.pid);
}

function withFreePort(command: string): string {
  return command.includes('--port') ? command.replace(/--port \d+/, '--port 0') : `${command} --port 0`;
}

/** Every command of a document once, in order. */
function documentedCommands(text: string): string[] {
  const lines = [...text.matchAll(SHOWN)].flatMap(([, , block, inline = '']) => {
    if (block !== undefined) return block.replaceAll(/\\\n\s*/g, '').split('\n');
    return PLACEHOLDER.test(inline) ? [] : [inline];
  });
  const commands = lines.flatMap(line => line.replace(/(^|\s)#\s.*$/, '').split(' && '));
  return [...new Set(commands.map(command => command.trim()).filter(command => command !== ''))];
}
