/** Flipped bits: no tool may answer with a byte that was not published. */
import { closeSync, openSync, readSync, statSync, utimesSync, writeSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from '../../build/lake/lake-files.ts';
import { describeFailure, openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost } from '../../site/edge/adapters/plain-host.ts';
import type { FaultKind } from './fault-kind.ts';
import { RandomChoices } from '../random.ts';
import { inScratch, writeSampleTree } from './sample-tree.ts';

export const FLIP: FaultKind = {
  name: 'flip',
  about: 'flips single bits in a tree, and asks the server and civic query, of a folder and of a mirror',
  runs: 2000,
  run: ({ runs, seed }) =>
    inScratch(async scratch => {
      const { tree } = await writeSampleTree(scratch);
      return flipBits(tree, { runs, seed, say: text => console.log(text) });
    }),
};

interface FlipOptions {
  readonly runs: number;
  readonly seed: number;
  readonly say: (text: string) => void;
}

/** Status and body; `refused` where a reader says that the tree is damaged, or the answer breaks off. */
type Reader = (question: Question) => Promise<string>;

interface Question {
  readonly path: string;
  readonly range: string | null;
}

/** Questions about a file's rows in one run. */
const MOST_ASKED = 6;

/** Resolves to the number of flips after which a reader gave a wrong answer. The tree is as before in the end. */
export async function flipBits(tree: string, { runs, seed, say }: FlipOptions): Promise<number> {
  const random = new RandomChoices(seed);
  const files = byKind(listFiles(tree));
  const questions = rowQuestions(listFiles(tree));
  const counts = new Map<string, { right: number; refused: number; wrong: number }>();
  // What a sound tree answers.
  const expected = new Map<string, string>();
  let failed = 0;
  for (let run = 0; run < runs; run++) {
    const file = random.of(files.get(random.of([...files.keys()])) ?? []);
    const { size } = statSync(path.join(tree, file));
    if (size === 0) continue;
    const [at, bit] = [random.below(size), random.below(8)];
    const near = Math.max(0, at - random.below(1000));
    const rows = questions.filter(one => touches(one, file));
    while (rows.length > MOST_ASKED) rows.splice(random.below(rows.length), 1);
    const own = `/${file.split('/').map(encodeURIComponent).join('/')}`;
    const whole = [own, ...rows, random.of(questions)].map(one => ({ path: one, range: null }));
    const asked: Question[] = [
      { path: own, range: `bytes=${near}-${Math.min(size - 1, near + 2000)}` },
      ...whole,
    ];
    const keyOf = ({ path: one, range }: Question) => `${one} ${range ?? ''}`;
    const unknown = asked.filter(one => !expected.has(keyOf(one)));
    await withReaders(tree, async ({ serve }) => {
      for (const one of unknown) expected.set(keyOf(one), await serve!(one));
    });
    const undo = flipBit(path.join(tree, file), at, bit);
    const wrong: string[] = [];
    // New servers for each flip: what one keeps in memory is right, and would hide the damage.
    await withReaders(tree, async readers => {
      // The slower readers get one of the questions.
      for (const [reader, ask] of Object.entries(readers))
        for (const question of reader === 'serve' ? asked : [random.of(whole)]) {
          const answer = await ask(question);
          const verdict =
            answer === expected.get(keyOf(question)) ? 'right' : answer === 'refused' ? 'refused' : 'wrong';
          const count = counts.get(reader) ?? { right: 0, refused: 0, wrong: 0 };
          counts.set(reader, { ...count, [verdict]: count[verdict] + 1 });
          if (verdict === 'wrong') wrong.push(`${reader} ${keyOf(question)}`);
        }
    }).finally(undo);
    if (wrong.length === 0) continue;
    failed++;
    say(`run ${run}: bit ${bit} of byte ${at} of ${file} (${size} bytes): ${wrong.join('; ')}`);
  }
  for (const [reader, { right, refused, wrong }] of counts)
    say(`${reader.padEnd(14)} ${right} right answers, ${refused} refused, ${wrong} wrong`);
  say(`${runs} flipped bits in ${files.size} kinds of files, seed ${seed}: ${failed} with a wrong answer`);
  return failed;
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

async function withReaders(
  tree: string,
  use: (readers: Readonly<Record<string, Reader>>) => Promise<void>,
): Promise<void> {
  const where = { folder: tree, port: 0, listen: '127.0.0.1' };
  const servers = await Promise.all([startServer(where), startPlainHost(where)]);
  const [{ url }, mirror] = servers;
  try {
    await use({
      serve: question => servedAnswer(url, question),
      'query folder': question => queriedAnswer(tree, question),
      'query mirror': question => queriedAnswer(mirror.url, question),
    });
  } finally {
    await Promise.all(servers.map(server => server.close()));
  }
}

async function servedAnswer(url: string, { path: asked, range }: Question): Promise<string> {
  try {
    const response = await fetch(url + asked, range === null ? {} : { headers: { Range: range } });
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
