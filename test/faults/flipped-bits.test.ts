/** Flipped bits in all kinds of files: no tool answers with a byte that was not published. */
import { closeSync, cpSync, openSync, readSync, statSync, utimesSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '../../build/lake/lake-files.ts';
import { RandomChoices } from '../../scripts/random.ts';
import { describeFailure, openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost } from '../../site/edge/adapters/plain-host.ts';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';

const sample = useSampleTree();

/** Kinds of files. Rows are asked for in most ways, so half of the kinds have rows. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'slices in JSON': /\/year=\d+\/[^/]+\.json$/,
  'slices in CSV': /\/year=\d+\/[^/]+\.csv$/,
  'slices in Parquet': /\/year=\d+\/[^/]+\.parquet$/,
  copies: /\/_copies\/[^/]+\.parquet$/,
  'rows of dimensions': /\/_dimensions\/[^/]+\/rows\./,
  manifests: /(^|\/)manifest\.json$/,
  'lists of hashes and names': /(^|\/)(SHA256SUMS|urls\.txt)$/,
  pages: /\.html$/,
  assets: /^assets\//,
  documents: /./,
};

const kindOf = (file: string) => Object.keys(KINDS).find(kind => KINDS[kind]!.test(file))!;

interface Question {
  readonly path: string;
  readonly range?: string;
}

/** Status and body; `refused` if a reader reports damage or the answer breaks off. */
type Reader = (question: Question) => Promise<string>;

test('no reader answers a wrong byte', async () => {
  const tree = path.join(await temporaryFolder(), 'tree');
  cpSync(sample.tree, tree, { recursive: true, preserveTimestamps: true });
  const [runs, seed] = [randomRuns(20), randomSeed(26)];
  const random = new RandomChoices(seed);
  const files = listFiles(tree).map(file => ({ file, kind: kindOf(file) }));
  const kinds = [...new Set(files.map(({ kind }) => kind))];
  const draw = (kind: string) => random.of(files.filter(one => one.kind === kind)).file;
  const verdicts = { right: 0, refused: 0, wrong: [] as string[] };
  for (let run = 0; run < runs; run++) {
    const file = draw(random.of(kinds));
    const { size } = statSync(path.join(tree, file));
    if (size === 0) continue;
    const at = random.below(size);
    const near = Math.max(0, at - random.below(1000));
    const own = `/${file.split('/').map(encodeURIComponent).join('/')}`;
    const others = [draw('slices in Parquet'), draw('slices in Parquet')] as const;
    const whole = [own, ...questionsAbout(file, others[0]), ...questionsAbout(others[1])];
    // Slower readers get one of the questions.
    const asked: Readonly<Record<string, readonly Question[]>> = {
      serve: [{ path: own, range: `bytes=${near}-${near + 2000}` }, ...whole.map(one => ({ path: one }))],
      'query folder': [{ path: random.of(whole) }],
      'query mirror': [{ path: random.of(whole) }],
    };
    const sound = await answers(tree, asked);
    const bit = random.below(8);
    flipBit(path.join(tree, file), at, bit);
    const damaged = await answers(tree, asked);
    flipBit(path.join(tree, file), at, bit);
    for (const [question, answer] of damaged) {
      if (answer === sound.get(question)) verdicts.right++;
      else if (answer === 'refused') verdicts.refused++;
      else verdicts.wrong.push(`run ${run}, bit ${bit} of byte ${at} of ${file}: ${question}`);
    }
  }
  expect(verdicts, `seed ${seed}`).toMatchObject({ wrong: [] });
  expect(verdicts.right).toBeGreaterThan(runs);
  expect(verdicts.refused).toBeGreaterThan(runs / 10);
});

/** Questions that a stored file, a cut, a scan and several files answer, about a file's rows or another's. */
function questionsAbout(...[file, other = file]: readonly [string, string?]): string[] {
  const parts = /^(api\/v1\/[^/]+\/[^/]+)\/(?:year=(\d+)|_copies)\/([^/.]+)/;
  const [, folder = '', year, detail] = parts.exec(file) ?? parts.exec(other) ?? [];
  const level = `/${folder}?detail=${detail}`;
  const cuts = [`${level}&format=csv`, `${level}&limit=20&offset=40`];
  if (year === undefined) return cuts;
  const slice = ['', '&limit=7&offset=3', '&format=parquet&limit=50'].map(
    cut => `${level}&year=${year}${cut}`,
  );
  return [...slice, `${level}&year_min=${year}&format=parquet`, ...cuts];
}

/** As a disk does, keeping length and time. */
function flipBit(file: string, at: number, bit: number): void {
  const { atime, mtime } = statSync(file);
  const handle = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, at);
  writeSync(handle, Buffer.from([byte[0]! ^ (1 << bit)]), 0, 1, at);
  closeSync(handle);
  utimesSync(file, atime, mtime);
}

/** By reader and question. The servers are new, because what a server keeps in memory would hide damage. */
async function answers(
  tree: string,
  asked: Readonly<Record<string, readonly Question[]>>,
): Promise<ReadonlyMap<string, string>> {
  const where = { folder: tree, port: 0, listen: '127.0.0.1' };
  const [server, mirror] = [await startServer(where), await startPlainHost(where)];
  const readers: Readonly<Record<string, Reader>> = {
    serve: question => servedAnswer(server.url, question),
    'query folder': question => queriedAnswer(tree, question),
    'query mirror': question => queriedAnswer(mirror.url, question),
  };
  const found = new Map<string, string>();
  for (const [reader, questions] of Object.entries(asked))
    for (const question of questions)
      found.set(`${reader} ${question.path} ${question.range ?? ''}`, await readers[reader]!(question));
  await Promise.all([server.close(), mirror.close()]);
  return found;
}

async function servedAnswer(url: string, { path: asked, range }: Question): Promise<string> {
  try {
    const response = await fetch(url + asked, range === undefined ? {} : { headers: { Range: range } });
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
