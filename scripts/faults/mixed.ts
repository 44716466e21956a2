/** `npm run faults -- mixed`: readers of all kinds go on while releases are switched below one server. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Option } from 'commander';
import { ROOT } from '../../build/format/paths.ts';
import { CIVIC, type ServerProcess, startServer } from '../bench/process.ts';
import { someQuestions } from '../bench/questions.ts';
import { RandomChoices } from '../random.ts';
import type { FaultKind } from './fault-kind.ts';
import { CONTRACTS, type FaultFolder, inScratch, runCivic, writeSampleTree } from './sample-tree.ts';

/** Readers at once, and the most milliseconds that each rests between two questions. */
const READERS = 6;
const REST = 600;

/** Stored files that are asked for, among all slices. */
const FILES = 24;

/** Of so many questions a reader hangs up in one, as people do. */
const HANGS_UP = 20;

/** Two lakes with the same slices and other figures take turns. */
const SEEDS = [1, 2];

/** Their slices have as many rows whatever the seed, so that no build refuses a lake that lost some. */
const DATASETS = ['census/employment', 'education/attendance'];

interface Question {
  readonly url: string;
  readonly range: string | null;
}

/** An answer without what differs between two builds of the same rows. */
interface Outcome {
  /** Status, and hash of the body with the release's name left out. What a refusal says follows. */
  readonly text: string;
  /** The release that the body names; null where it names none. */
  readonly release: string | null;
}

/** What the readers of a run saw. */
interface Seen {
  answers: number;
  hungUp: number;
  /** Answers that are of neither release, or that break off. */
  readonly wrong: string[];
  /** Rows of a lake under a release's name, each pair once: `lake release`. */
  readonly named: Set<string>;
}

/** `--runs`: switches. */
export const MIXED: FaultKind = {
  name: 'mixed',
  about: 'lets readers of all kinds ask one server while releases are switched, and looks for mixed answers',
  runs: 5,
  options: [
    new Option('--minutes <n>', 'how long the readers go on').argParser(Number).default(1),
    new Option(
      '--in-place',
      'builds replace the served tree; otherwise each release is deployed beside the others',
    ),
  ],
  run: ({ runs, seed, minutes = 1, inPlace = false }) =>
    inScratch(async scratch => {
      const servers: ServerProcess[] = [];
      const serve = async (tree: string) => {
        const args = [CIVIC, 'serve', tree, '--port', '0', '--json'];
        const server = await startServer(tree, process.execPath, args);
        servers.push(server);
        return server.url;
      };
      try {
        const sources = await Promise.all(
          SEEDS.map(one => writeSampleTree(path.join(scratch, `${one}`), one, DATASETS)),
        );
        const questions = await chooseQuestions(sources[0]!.tree);
        const expected = await expectAnswers(
          questions,
          await Promise.all(sources.map(one => serve(one.tree))),
        );
        const out = path.join(scratch, 'dist');
        const store = inPlace ? null : path.join(scratch, 'store');
        const names = new Map<string, number>([await switchTo(sources, 0, out, store)]);
        const seen: Seen = { answers: 0, hungUp: 0, wrong: [], named: new Set() };
        const url = await serve(store ?? out);
        const until = performance.now() + minutes * 60_000;
        let switching = true;
        const goesOn = () => switching || performance.now() < until;
        const readers = Array.from({ length: READERS }, (_, i) =>
          read(url, questions, expected, new RandomChoices(seed * READERS + i), goesOn, seen),
        );
        const random = new RandomChoices(seed);
        for (let done = 1; done <= runs; done++) {
          const left = Math.max(0, until - performance.now()) / (runs - done + 1);
          await wait(left * (0.5 + random.next() / 2));
          const [release, lake] = await switchTo(sources, done, out, store);
          names.set(release, lake);
          console.log(`switch ${done} to ${release}: ${seen.answers} answers so far`);
        }
        switching = false;
        await Promise.all(readers);
        return report(seen, names);
      } finally {
        await Promise.all(servers.map(server => server.stop()));
      }
    }),
};

/** The number of answers that are wrong, and of rows that stand under another release's name. */
function report({ answers, hungUp, wrong, named }: Seen, names: ReadonlyMap<string, number>): number {
  const mixed = [...named].filter(pair => {
    const [lake, release = ''] = pair.split(' ');
    return names.get(release) !== Number(lake);
  });
  for (const pair of mixed) console.log(`rows under another name: ${pair}`);
  console.log(
    `${answers} answers, ${hungUp} more hung up on; ${wrong.length} wrong, ${mixed.length} under another name`,
  );
  return wrong.length + mixed.length;
}

/**
 * Builds, and deploys where there is a store, as a publisher does. Gives the name of the release and the number of its
 * lake.
 */
async function switchTo(
  sources: readonly FaultFolder[],
  count: number,
  out: string,
  store: string | null,
): Promise<[string, number]> {
  const lake = count % sources.length;
  const date = new Date(Date.UTC(2027, 0, 1 + count)).toISOString().slice(0, 10);
  const options = ['--contracts', CONTRACTS, '--data', sources[lake]!.lake, '--out', out];
  const commands = [['build', ...options, '--release-date', date, '--jobs', '1']];
  if (store !== null) commands.push(['deploy', out, store, '--keep', '3']);
  for (const command of commands) {
    const { code, errors } = await runCivic(command);
    if (code !== 0) throw new Error(`civic ${command[0]} ended with ${code}: ${errors}`);
  }
  const manifest = JSON.parse(await readFile(path.join(out, ROOT.manifest), 'utf8')) as { release: string };
  return [manifest.release, lake];
}

/** Questions of every kind in each format, stored files, and parts of them. */
async function chooseQuestions(tree: string): Promise<Question[]> {
  const asked = await someQuestions(tree, 8);
  const others = asked
    .filter(url => !url.includes('format='))
    .flatMap((url, i) => (i % 5 === 0 ? [`${url}&format=csv`, `${url}&format=parquet`] : []));
  const listed = (await readFile(path.join(tree, ROOT.urls), 'utf8')).split('\n');
  const slices = listed.filter(file => /\/year=.*\.(json|csv|parquet)$/.test(file)).map(file => `/${file}`);
  const files = slices.filter((_, i) => i % Math.ceil(slices.length / FILES) === 0);
  const whole = [...asked, ...others, ...files].map(url => ({ url, range: null }));
  return [...whole, ...files.map((url, i) => ({ url, range: `bytes=${i * 100}-${i * 5000 + 4000}` }))];
}

/** For each question, the number of the lake behind each right answer. */
async function expectAnswers(
  questions: readonly Question[],
  urls: readonly string[],
): Promise<ReadonlyMap<Question, ReadonlyMap<string, number>>> {
  const expected = new Map<Question, Map<string, number>>();
  for (const question of questions) {
    const outcomes = await Promise.all(urls.map(url => ask(url, question)));
    expected.set(question, new Map(outcomes.map(({ text }, lake) => [text, lake])));
  }
  return expected;
}

async function read(
  url: string,
  questions: readonly Question[],
  expected: ReadonlyMap<Question, ReadonlyMap<string, number>>,
  random: RandomChoices,
  goesOn: () => boolean,
  seen: Seen,
): Promise<void> {
  while (goesOn()) {
    const question = random.of(questions);
    const right = expected.get(question) ?? new Map<string, number>();
    if (random.below(HANGS_UP) === 0) {
      await ask(url, question, AbortSignal.timeout(random.below(10))).catch(() => undefined);
      seen.hungUp++;
    } else {
      const outcome = await ask(url, question).catch((error: unknown) => ({
        text: `broken off (${error instanceof Error ? error.message : error})`,
        release: null,
      }));
      const lake = right.get(outcome.text);
      seen.answers++;
      // Where both lakes give the same answer, it tells nothing of its release.
      if (lake !== undefined && outcome.release && right.size > 1)
        seen.named.add(`${lake} ${outcome.release}`);
      if (lake === undefined) {
        seen.wrong.push(question.url);
        console.log(`${question.url} (${question.range}): ${outcome.text}`);
      }
    }
    await wait(random.below(REST));
  }
}

const RELEASE = /\d{4}-\d\d-\d\d-[0-9a-f]{8}/g;

function ask(url: string, { url: target, range }: Question, signal?: AbortSignal): Promise<Outcome> {
  return new Promise((done, fail) => {
    const headers = range === null ? {} : { Range: range };
    const options = { agent: false, timeout: 60_000, headers, ...(signal && { signal }) };
    http
      .get(url + target, options, response => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).on('error', fail);
        response.on('close', () => {
          if (!response.complete) return fail(new Error('the answer is not complete'));
          const body = Buffer.concat(parts).toString('latin1');
          const said = response.statusCode === 200 || response.statusCode === 206 ? '' : body.slice(0, 200);
          const hash = createHash('sha256').update(body.replaceAll(RELEASE, ''), 'latin1').digest('hex');
          done({ text: `${response.statusCode} ${hash} ${said}`, release: body.match(RELEASE)?.[0] ?? null });
        });
      })
      .on('error', fail);
  });
}
