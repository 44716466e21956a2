/** Signed releases: what a reader, a witness and a second copy find in a rewritten tree. */
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { verify } from '../../build/archive/verify.ts';
import type { RefusedError } from '../../build/failure.ts';
import { contentLines } from '../../build/format/manifest.ts';
import { formatPublicKey, generateKey, parsePublicKey, publicKeyOf } from '../../build/log/signed-note.ts';
import { command } from '../cli/command.ts';
import type { Overrides } from '../publishers/built-tree.ts';
import { newPublisher, type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, PUBLISHER } from '../publishers/weather.ts';

const publisherKey = generateKey('data.example.org');
const witnessKey = generateKey('witness.example.net');
const KEY = formatPublicKey(publicKeyOf(publisherKey.key, 'signer'));
const WITNESS = formatPublicKey(publicKeyOf(witnessKey.key, 'witness'));

/** A publisher of three releases, and the table's trees and files by name. Tests only read them. */
let folder: Publisher;
const places: Record<string, string> = {};

beforeAll(async () => {
  // All of them have the same rows.
  await place('cache');
  folder = await releases({}, 'First.', 'Second.');
  places.folder = folder.out;
  cpSync(folder.out, await place('older'), { recursive: true });
  await publish(folder, 'Third.');
  places.moved = (
    await releases({ baseUrl: 'https://mirror.example.net/' }, 'First.', 'Second.', 'Third.')
  ).out;
  // Someone with the key writes another history; someone without it changes a figure and repairs every hash.
  places.forged = (await releases({}, 'First.', 'Forged.', 'Third.', 'Fourth.')).out;
  places.unsigned = (await releases({ signingKey: undefined }, 'Edited.')).out;
  cpSync(places.unsigned, await place('edited'), { recursive: true });
  cpSync(path.join(folder.out, 'log'), path.join(places.edited!, 'log'), { recursive: true });
  await place('CHECKPOINT');
  const seen = await civic(words('cosign folder --key KEY --out CHECKPOINT'), witnessKey.text);
  expect(seen).toMatchObject({ code: 0 });
});

/** Signed releases of the climate with these descriptions. */
async function releases(overrides: Overrides, ...words: readonly string[]): Promise<Publisher> {
  const publisher = await newPublisher(CLIMATE_CONTRACTS, CLIMATE_LAKE);
  for (const one of words) await publish(publisher, one, overrides);
  return publisher;
}

async function publish(publisher: Publisher, words: string, overrides: Overrides = {}): Promise<void> {
  const text = PUBLISHER.replace(/^description:.*$/m, `description: ${words}`);
  await publisher.writeContracts({ 'publisher.yaml': text });
  await publisher.build({ signingKey: publisherKey.key, cache: { folder: places.cache! }, ...overrides });
}

async function place(name: string): Promise<string> {
  places[name] = path.join(await temporaryFolder(), name);
  return places[name];
}

/** A copy of a publisher's tree, without the notes of its last build. */
async function copied(publisher: Publisher): Promise<Publisher> {
  const root = await temporaryFolder();
  const copy = publisher.with({ root, out: path.join(root, 'dist') });
  cpSync(publisher.out, copy.out, { recursive: true, preserveTimestamps: true });
  return copy;
}

async function civic(args: readonly string[], key = '') {
  vi.stubEnv('CIVIC_SIGNING_KEY', key);
  const { code, stdout, stderr } = await command(...args);
  vi.unstubAllEnvs();
  return { code, output: stdout + stderr };
}

/** Arguments of a line. Names mean trees, files and keys. */
const words = (line: string) =>
  line
    .replace('TRUST', '--key KEY --witness WITNESS --checkpoint CHECKPOINT')
    .split(' ')
    .map(word => places[word] ?? { KEY, WITNESS }[word] ?? word);

const REWRITTEN = /release 2 is 2031-05-17-[0-9a-f]{8}.*Both are signed by data\.example\.org/;
/** The same evidence gives the same conclusion for each copy. */
const SEEN = 'forged was rewritten: witness.example.net signed the other copy';

test.each<[line: string, code: number, says: string | RegExp]>([
  ['verify folder --key KEY', 0, 'is number 3 of 3 in the log signed by data.example.org.'],
  ['verify folder --key WITNESS', 3, 'is the key of a witness'],
  ['verify forged --key KEY', 0, 'is number 4 of 4'],
  ['verify folder --key KEY --against forged', 1, REWRITTEN],
  ['verify forged --key KEY --against folder', 1, REWRITTEN],
  ['verify folder TRUST --against forged', 1, SEEN],
  ['verify forged TRUST --against folder', 1, SEEN],
  ['verify folder --against edited', 1, 'Somebody changed the tree after it was signed'],
  ['verify unsigned', 0, 'is not signed'],
  ['verify unsigned --key KEY', 1, 'log-absent'],
  // Copies at two addresses have one log, and an older one differs from a forged one.
  ['verify folder --key KEY --against moved', 0, 'moved has the same 3 releases.'],
  ['verify moved --key KEY --against folder', 0, 'folder has the same 3 releases.'],
  ['verify moved --key KEY --against older', 0, 'older lacks 1 release: 2031-05-17-'],
  ['verify older --key KEY --against moved', 0, 'moved has 1 release more: 2031-05-17-'],
  ['verify folder --key KEY --witness WITNESS', 1, 'witness.example.net has not signed'],
  ['verify folder TRUST', 0, 'and by witness.example.net as a witness'],
  ['verify older TRUST', 1, /release 2.* rolled back/],
  ['cosign moved --key KEY --out CHECKPOINT', 0, ''],
  ['cosign older --key KEY --out CHECKPOINT', 1, /release 2.* rolled back/],
  ['cosign forged --key KEY --out CHECKPOINT', 1, 'log-rewritten'],
])('civic %s ends with %i: %s', async (line, code, says) => {
  const before = readFileSync(places.CHECKPOINT!, 'utf8');
  const ended = await civic(words(line), line.startsWith('cosign') ? witnessKey.text : '');
  const output = Object.entries(places).reduce(
    (text, [name, one]) => text.replaceAll(one, name),
    ended.output,
  );
  expect([output, ended.code]).toEqual([
    typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
    code,
  ]);
  // A witness that refuses leaves what it signed.
  if (code !== 0) expect(readFileSync(places.CHECKPOINT!, 'utf8')).toBe(before);
});

test('the same inputs and key give the same bytes, and the lines that the log states are in order', async () => {
  const copy = await copied(folder);
  await copy.build({ signingKey: publisherKey.key });
  expect(await copy.contents()).toEqual(await folder.contents());
  const lines = contentLines(await copy.json('manifest.json')).split('\n');
  const sums = (await copy.text('SHA256SUMS')).split('\n');
  expect(sums.filter(line => lines.includes(line))).toEqual(lines);
});

test.each([
  ['without the key', '', 3, 'log-without-key'],
  ['with another one', generateKey('data.example.org').text, 1, 'log-fork'],
  ['with none, which it does not print', 'PRIVATE+KEY+secret', 3, 'key-invalid'],
])('a build %s does not end the log', async (_, key, code, says) => {
  const ended = await civic((await copied(folder)).arguments(), key);
  expect(ended).toEqual({ code, output: expect.stringContaining(says) });
  expect(ended.output).not.toContain('secret');
});

test('a build does not shorten the log that the last one noted', async () => {
  const shorter = await copied(await releases({}, 'First.'));
  cpSync(path.join(folder.root, '.dist.civic'), path.join(shorter.root, '.dist.civic'), { recursive: true });
  const later = folder.with({ out: shorter.out }).build({ signingKey: publisherKey.key });
  await expect(later).rejects.toThrow(/releases were removed or rewritten/);
});

test('a copy in an archive is compared like a folder, and a broken one is refused', async () => {
  const root = await temporaryFolder();
  const [other, same] = [path.join(root, 'other.zip'), path.join(root, 'same.zip')];
  await snapshot(places.forged!, { out: other, only: null }, () => undefined);
  await snapshot(folder.out, { out: same, only: null }, () => undefined);
  const compare = (against: string) =>
    verify(folder.out, { jobs: 1, memory: '400MB', against }, () => undefined).then(
      () => 'same',
      (error: RefusedError) => error.diagnostics.map(one => `${one.code} ${one.message}`).join(),
    );
  expect(await compare(other)).toMatch(
    /^log-rewritten .* have different histories: release 2 is 2031-05-17-/,
  );
  expect(await compare(same)).toBe('same');
  for (const archive of [other, same]) {
    const bytes = readFileSync(archive);
    writeFileSync(archive, bytes.subarray(0, bytes.length >> 1));
    expect(await compare(archive)).toMatch(/^archive-/);
  }
  rmSync(same);
  expect(await compare(same)).toContain('has no log');
});

test("an archive's extract has no log, which lists only releases", async () => {
  const out = path.join(await temporaryFolder(), 'part.zip');
  await snapshot(folder.out, { out, only: 'climate/*' }, () => undefined);
  const { log } = await verify(out, { jobs: 1, memory: '400MB' }, () => undefined);
  expect(log).toBe(null);
});

test('a key is never overwritten, and only its owner can read it', async () => {
  const root = await temporaryFolder();
  const at = (name: string) => path.join(root, name);
  const keygen = ['keygen', '--name', 'data.example.org', '--out', at('signing.key')];
  expect(await civic(keygen)).toEqual({ code: 0, output: expect.not.stringContaining('PRIVATE') });
  expect(statSync(at('signing.key')).mode & 0o777).toBe(0o600);
  expect((await civic(keygen)).output).toContain('key-exists');
  const witness = ['keygen', '--witness', '--name', 'witness.example.net', '--out', at('witness.key')];
  expect(await civic(witness)).toMatchObject({ code: 0 });
  expect(parsePublicKey(readFileSync(at('witness.key.pub'), 'utf8'))?.kind).toBe('witness');
});
