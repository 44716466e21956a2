/** Flipped bits: no tool may answer with a byte that was not published. */
import { closeSync, openSync, readSync, statSync, utimesSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { listFiles } from '../../build/lake/lake-files.ts';
import { describeFailure, openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost } from '../../site/edge/adapters/plain-host.ts';
import type { FaultKind } from './fault-kind.ts';
import { RandomChoices } from '../random.ts';
import { writeSampleTree } from './sample-tree.ts';

export const FLIP: FaultKind = {
  name: 'flip',
  about: 'flips single bits in a tree, and asks the server and civic query, of a folder and of a mirror',
  runs: 2000,
  async run({ runs, seed }) {
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-faults-'));
    try {
      const { tree } = await writeSampleTree(scratch);
      return await flipBits(tree, { runs, seed, say: text => console.log(text) });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

interface FlipOptions {
  readonly runs: number;
  readonly seed: number;
  readonly say: (text: string) => void;
}

/** How one reader answered a question about a damaged tree. */
type Verdict = 'right' | 'refused' | 'wrong';

/** Resolves to the number of flips after which a reader gave a wrong answer. The tree is as before in the end. */
export async function flipBits(tree: string, { runs, seed, say }: FlipOptions): Promise<number> {
  const random = new RandomChoices(seed);
  const files = byKind(listFiles(tree));
  const questions = rowQuestions(listFiles(tree));
  const counts = new Map<string, Record<Verdict, number>>();
  const expected = new Map<string, string>();
  // What a sound tree answers.
  const sound = async (question: Question) => {
    const key = JSON.stringify(question);
    const known = expected.get(key) ?? (await servedAnswer(tree, question));
    expected.set(key, known);
    return known;
  };
  let failed = 0;
  for (let run = 0; run < runs; run++) {
    const kind = random.of([...files.keys()]);
    const file = random.of(files.get(kind) ?? []);
    const { size } = statSync(path.join(tree, file));
    if (size === 0) continue;
    const at = random.below(size);
    const bit = random.below(8);
    const near = Math.max(0, at - random.below(1000));
    const asked: Question[] = [
      { path: `/${encodeName(file)}`, range: null },
      { path: `/${encodeName(file)}`, range: `bytes=${near}-${Math.min(size - 1, near + 2000)}` },
      ...someOf(
        questions.filter(one => touches(one, file)),
        random,
      ),
      { path: random.of(questions), range: null },
    ].map(one => (typeof one === 'string' ? { path: one, range: null } : one));
    const before = await Promise.all(asked.map(sound));
    const undo = flipBit(path.join(tree, file), at, bit);
    const wrong: string[] = [];
    try {
      for (const [reader, ask] of Object.entries(READERS)) {
        // The slower readers get one of the questions.
        const mine = reader === 'serve' ? asked : [random.of(asked.filter(one => one.range === null))];
        for (const question of mine) {
          const right = before[asked.indexOf(question)] ?? '';
          const answer = await ask(tree, question);
          const verdict = answer === right ? 'right' : answer === 'refused' ? 'refused' : 'wrong';
          const count = counts.get(reader) ?? { right: 0, refused: 0, wrong: 0 };
          count[verdict]++;
          counts.set(reader, count);
          if (verdict === 'wrong') wrong.push(`${reader} ${question.path} ${question.range ?? ''}`);
        }
      }
    } finally {
      undo();
      await stopServers();
    }
    if (wrong.length > 0) {
      failed++;
      say(`run ${run}: bit ${bit} of byte ${at} of ${file} (${size} bytes): ${wrong.join('; ')}`);
    }
  }
  for (const [reader, { right, refused, wrong }] of counts)
    say(`${reader.padEnd(14)} ${right} right answers, ${refused} refused, ${wrong} wrong`);
  say(`${runs} flipped bits in ${files.size} kinds of files, seed ${seed}: ${failed} with a wrong answer`);
  return failed;
}

/** Questions about a file's rows in one run. */
const MOST_ASKED = 6;

function someOf(items: readonly string[], random: RandomChoices): string[] {
  const left = [...items];
  while (left.length > MOST_ASKED) left.splice(random.below(left.length), 1);
  return left;
}

interface Question {
  readonly path: string;
  readonly range: string | null;
}

/** Kinds of files. Rows are asked for in most ways, so half of the kinds are of rows. */
const KINDS: readonly [name: string, pattern: RegExp][] = [
  ['slices in JSON', /\/year=\d+\/[^/]+\.json$/],
  ['slices in CSV', /\/year=\d+\/[^/]+\.csv$/],
  ['slices in Parquet', /\/year=\d+\/[^/]+\.parquet$/],
  ['copies', /\/_copies\/[^/]+\.parquet$/],
  ['rows of dimensions', /\/_dimensions\/[^/]+\/rows\./],
  ['manifests', /(^|\/)manifest\.json$/],
  ['lists of hashes and names', /(^|\/)(SHA256SUMS|urls\.txt)$/],
  ['pages', /\.html$/],
  ['assets', /^assets\//],
  ['documents', /./],
];

function byKind(files: readonly string[]): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  for (const file of files) {
    const [kind = ''] = KINDS.find(([, pattern]) => pattern.test(file)) ?? [];
    kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
  }
  return kinds;
}

/** Questions that are answered by stored files, by cuts and by scans, of every dataset. */
function rowQuestions(files: readonly string[]): string[] {
  const slices = files.flatMap(file => {
    const found = /^(api\/v1\/[^/]+\/[^/]+)\/year=(\d+)\/([^/.]+)\.parquet$/.exec(file);
    return found ? [{ folder: `/${found[1]}`, year: found[2], detail: found[3] }] : [];
  });
  const asked = slices.flatMap(({ folder, year, detail }) => [
    `${folder}?year=${year}&detail=${detail}`,
    `${folder}?year=${year}&detail=${detail}&limit=7&offset=3`,
    `${folder}?year=${year}&detail=${detail}&format=parquet&limit=50`,
    `${folder}?detail=${detail}&format=csv`,
    `${folder}?detail=${detail}&year_min=${year}&format=parquet`,
    `${folder}?detail=${detail}&limit=20&offset=40`,
  ]);
  return [...new Set(asked)].sort();
}

function touches(question: string, file: string): boolean {
  const [folder = ''] = question.slice(1).split('?');
  const detail = /detail=([^&]+)/.exec(question)?.[1] ?? '';
  const year = /[?&]year=(\d+)/.exec(question)?.[1];
  if (!file.startsWith(`${folder}/`) || !file.includes(`/${detail}.`)) return false;
  return year === undefined || file.includes(`year=${year}/`) || file.includes('/_copies/');
}

function encodeName(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}

/** As a disk does it: the file keeps its length and time. Returns the function that flips the bit back. */
function flipBit(file: string, at: number, bit: number): () => void {
  const { atime, mtime } = statSync(file);
  const turn = () => {
    const handle = openSync(file, 'r+');
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, at);
    writeSync(handle, Buffer.from([(byte[0] ?? 0) ^ (1 << bit)]), 0, 1, at);
    closeSync(handle);
    utimesSync(file, atime, mtime);
  };
  turn();
  return turn;
}

const running: { close(): Promise<void> }[] = [];
const addresses = new Map<string, string>();

async function stopServers(): Promise<void> {
  addresses.clear();
  await Promise.all(running.splice(0).map(server => server.close()));
}

/** A new server for each flip: what it keeps in memory is right, and would hide the damage. */
async function serverOf(tree: string, plain: boolean): Promise<string> {
  const key = `${plain} ${tree}`;
  const known = addresses.get(key);
  if (known !== undefined) return known;
  const server = await (plain ? startPlainHost : startServer)({ folder: tree, port: 0, listen: '127.0.0.1' });
  running.push(server);
  addresses.set(key, server.url);
  return server.url;
}

const READERS: Readonly<Record<string, (tree: string, question: Question) => Promise<string>>> = {
  serve: servedAnswer,
  'query folder': queriedAnswer,
  'query mirror': async (tree, question) => queriedAnswer(await serverOf(tree, true), question),
};

/** Status and body; `refused` where the server says that the tree is damaged, or the answer breaks off. */
async function servedAnswer(tree: string, { path: asked, range }: Question): Promise<string> {
  const url = (await serverOf(tree, false)) + asked;
  try {
    const response = await fetch(url, range === null ? {} : { headers: { Range: range } });
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
    if (response.status === 502) return 'refused';
    return response.status < 300 ? body : `${response.status}`;
  } catch {
    return 'refused';
  }
}

async function queriedAnswer(base: string, { path: asked }: Question): Promise<string> {
  try {
    const answer = await runQuery(await openTree(base), decodeURIComponent(asked));
    if (answer.kind === 'failure') return answer.code === 'broken-tree' ? 'refused' : answer.code;
    const parts: Uint8Array[] = [];
    for await (const part of answer.parts) parts.push(part);
    return Buffer.concat(parts).toString('latin1');
  } catch (error) {
    const failure = describeFailure(error);
    return failure?.code === 'broken-tree' ? 'refused' : (failure?.code ?? String(error));
  }
}
