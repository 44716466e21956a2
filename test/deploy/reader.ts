/** Readers who keep reading while releases are switched, and complain about every answer that isn't from one release. */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { ROOT, releaseFolder, schemaPath } from '../../build/format/paths.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { sha256 } from '../publishers/built-tree.ts';
import { randomRuns } from '../random-runs.ts';
import { DATASET, QUESTION, type Release } from './three-releases.ts';

/** The bytes at a path of a host. Throws unless the answer is a 200 of its full length. */
export type Get = (path: string) => Promise<Buffer>;

export function getOverHttp(url: string): Get {
  return name => bytesOf(name, fetch(url + name));
}

/** The bytes of an answer, as in `Get`. */
export async function bytesOf(
  name: string,
  answer: Promise<Pick<Response, 'status' | 'headers' | 'arrayBuffer'>>,
) {
  const response = await answer;
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${name}: ${response.status} ${bytes.toString('utf8')}`);
  const length = Number(response.headers.get('content-length') ?? bytes.length);
  if (length !== bytes.length) throw new Error(`${name}: ${bytes.length} of ${length} bytes`);
  const tag = /^"([0-9a-f]{64})"$/.exec(response.headers.get('etag') ?? '')?.[1];
  if (tag !== undefined && tag !== sha256(bytes)) throw new Error(`${name}: its ETag is of other bytes`);
  return bytes;
}

/** One round of reading. Returns the release that it saw. */
export type Round = () => Promise<string>;

/** Reads until stopped, without pauses or retries. */
export function watch(name: string, round: Round) {
  let going = true;
  const complaints: string[] = [];
  let [switches, last] = [0, ''];
  const ended = (async () => {
    while (going) {
      try {
        const seen = await round();
        if (last !== '' && seen !== last) switches++;
        last = seen;
      } catch (error) {
        complaints.push(error instanceof Error ? error.message : String(error));
      }
      // Lets the other readers and the switch run.
      await new Promise(setImmediate);
    }
  })();
  return {
    name,
    /** Resolves after a round that saw this release; rejects after a minute. */
    async saw(release: string): Promise<void> {
      for (const begun = Date.now(); last !== release; ) {
        if (Date.now() - begun > 60_000)
          throw new Error(`${name} does not see ${release}. ${complaints.slice(-1)}`);
        await wait(5);
      }
    },
    /** Ends the reading. Returns how often the release changed between rounds, and the complaints. */
    async stop() {
      going = false;
      await ended;
      return { switches, complaints };
    },
  };
}

/**
 * Switches several times while readers read, each time after all have seen the release before. Fails if a
 * reader complains. The first release is online at the beginning.
 */
export async function switchOften(
  watches: readonly ReturnType<typeof watch>[],
  releases: readonly Release[],
  switchTo: (release: Release) => Promise<void>,
): Promise<void> {
  await Promise.all(watches.map(one => one.saw(releases[0]?.id ?? '')));
  const switches = randomRuns(4);
  for (let count = 1; count <= switches; count++) {
    const release = releases[count % releases.length]!;
    await switchTo(release);
    await Promise.all(watches.map(one => one.saw(release.id)));
  }
  for (const one of watches)
    expect([one.name, await one.stop()]).toEqual([one.name, { switches, complaints: [] }]);
}

/**
 * Knows one address and asks for each file there, like a browser. Each answer is a file of one of the
 * releases, byte for byte; two answers may be from two.
 */
export function readOneByOne(get: Get, releases: readonly Release[]): Round {
  const slice = ['json', 'csv', 'parquet'].map(type => `api/v1/${DATASET}/year=2021/stations.${type}`);
  const files = [ROOT.manifest, ROOT.datasets, ...slice, `api/v1/${DATASET}/values.json`];
  return async () => {
    let release = '';
    for (const file of files) {
      const hash = sha256(await get(`/${file}`));
      const found = releases.find(one => one.hashes.get(file) === hash);
      if (!found) throw new Error(`${file} is of no release`);
      if (file === ROOT.manifest) release = found.id;
    }
    return release;
  };
}

/**
 * Needs several files of one release: reads at the root which release is online, and everything else at that
 * release's address. Compares every byte with the manifest that led to it, and asks for nothing twice.
 */
export function readPinned(get: Get, releases: readonly Release[]): Round {
  return async () => {
    const { release } = JSON.parse((await get(`/${ROOT.manifest}`)).toString('utf8')) as TreeManifest;
    const known = releases.find(one => one.id === release);
    if (!known) throw new Error(`There is no release ${release}`);
    const read = async (file: string, wanted: string | undefined): Promise<Buffer> => {
      const bytes = await get(`/${releaseFolder(release)}/${file}`);
      if (sha256(bytes) !== wanted) throw new Error(`${file} is not of release ${release}`);
      return bytes;
    };
    const manifest = await read(ROOT.manifest, known.hashes.get(ROOT.manifest));
    const tree = JSON.parse(manifest.toString('utf8')) as TreeManifest;
    if (tree.release !== release) throw new Error(`The manifest of ${release} says ${tree.release}`);
    for (const entry of tree.datasets) {
      const dataset = JSON.parse((await read(entry.path, entry.sha256)).toString('utf8')) as DatasetManifest;
      const [domain = '', topic = ''] = entry.key.split('/');
      const schema = schemaPath(domain, topic);
      await read(schema, known.hashes.get(schema));
      for (const file of Object.values(dataset.slices[0]?.files ?? {}).flat())
        await read(path.posix.join(path.posix.dirname(entry.path), file.path), file.sha256);
    }
    return release;
  };
}

/**
 * Asks an edge for rows that it computes from several files: the answer is that of one release, to the byte.
 */
export async function readComputed(get: Get, releases: readonly Release[]): Promise<Round> {
  const answers = new Map<string, string>();
  for (const { id, folder } of releases) {
    const { url, close } = await startServer({ folder, port: 0 });
    answers.set((await getOverHttp(url)(QUESTION)).toString('utf8'), id);
    await close();
  }
  if (answers.size !== releases.length) throw new Error('The question does not tell the releases apart.');
  return async () => {
    const release = answers.get((await get(QUESTION)).toString('utf8'));
    if (release === undefined) throw new Error('An answer is of no release');
    return release;
  };
}
