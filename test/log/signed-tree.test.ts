/** Signed releases: what a reader, a witness and a second copy find in a rewritten tree. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { verify } from '../../build/archive/verify.ts';
import type { RefusedError } from '../../build/failure.ts';
import { formatPublicKey, generateKey, parsePublicKey, publicKeyOf } from '../../build/log/log-key.ts';
import { logFiles } from '../../build/log/release-log.ts';
import { compareLogs } from '../../build/tree/log-comparison.ts';
import { NO_TRUST, verifyLog } from '../../build/tree/tree-log.ts';
import { folderSource } from '../../build/tree/tree-source.ts';
import { command } from '../cli/command.ts';
import { civic as run } from '../cli/program.ts';
import { buildArguments, buildPublisher, contents, type Overrides } from '../publishers/built-tree.ts';
import { keptClimate } from '../publishers/kept-weather.ts';
import {
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';

const publisherKey = generateKey('data.example.org');
const witnessKey = generateKey('witness.example.net');
const KEY = formatPublicKey(publicKeyOf(publisherKey.key, 'signer'));
const WITNESS = formatPublicKey(publicKeyOf(witnessKey.key, 'witness'));

/** A publisher of three releases, which tests only read. */
let folder: PublisherFolder;
beforeAll(async () => {
  folder = await releases(await temporaryFolder(), 'First.', 'Second.', 'Third.');
});

async function civic(args: readonly string[], key = '') {
  const ended =
    args[0] === 'verify' ? command(...args) : run(args, { environment: { CIVIC_SIGNING_KEY: key } });
  const { code, stdout, stderr } = await ended;
  return { status: code, output: stdout + stderr };
}

/** That a command ends so, and says so. */
async function ends(status: number, says: string | RegExp, args: readonly string[], key = '') {
  const ended = await civic(args, key);
  const output = typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says);
  expect(ended).toEqual({ status, output });
  return ended;
}

/** Signed releases of the climate, each with other words. */
async function releases(root: string, ...words: readonly string[]): Promise<PublisherFolder> {
  const publisher = await copyPublisher(await keptClimate(), root);
  for (const one of words) await publish(publisher, one);
  return publisher;
}

async function publish(publisher: PublisherFolder, words: string, overrides: Overrides = {}): Promise<void> {
  const text = PUBLISHER.replace(/^description:.*$/m, `description: ${words}`);
  await writeTexts(publisher.contracts, { 'publisher.yaml': text });
  await buildPublisher(publisher, { signingKey: publisherKey.key, ...overrides });
}

/** A copy of a publisher's tree, and of what its last build noted of it. */
async function copied({ contracts, data, out }: PublisherFolder): Promise<PublisherFolder> {
  const root = await temporaryFolder();
  const copy = { root, contracts, data, out: path.join(root, 'dist') };
  cpSync(out, copy.out, { recursive: true, preserveTimestamps: true });
  return copy;
}

test('each release is an entry, and the same inputs and key give the same bytes', async () => {
  const says = 'is number 3 of 3 in the log signed by data.example.org.';
  await ends(0, says, ['verify', folder.out, '--key', KEY]);
  const copy = await copied(folder);
  await buildPublisher(copy, { signingKey: publisherKey.key });
  expect(await contents(copy.out)).toEqual(await contents(folder.out));
});

test('a build without the key, or with another one, does not end the log; nor is it shortened', async () => {
  const args = buildArguments(await copied(folder));
  await ends(3, 'log-without-key', args);
  await ends(1, 'log-fork', args, generateKey('data.example.org').text);
  const { output } = await ends(3, 'key-invalid', args, 'PRIVATE+KEY+secret');
  expect(output).not.toContain('secret');
  const shorter = await copied(await releases(await temporaryFolder(), 'First.'));
  cpSync(path.join(folder.root, '.dist.civic'), path.join(shorter.root, '.dist.civic'), { recursive: true });
  const later = buildPublisher({ ...folder, out: shorter.out }, { signingKey: publisherKey.key });
  await expect(later).rejects.toThrow(/releases were removed or rewritten/);
});

test('a second copy names the release that was rewritten, and the tree that was changed after signing', async () => {
  // Someone with the key writes another history; someone without it changes a figure and mends every hash.
  const forged = await releases(await temporaryFolder(), 'First.', 'Forged.', 'Third.', 'Fourth.');
  await ends(0, '', ['verify', forged.out, '--key', KEY]);
  const both = /release 2 is 2031-05-17-[0-9a-f]{8}.*Both are signed by data\.example\.org/;
  const compared = await ends(1, both, ['verify', folder.out, '--key', KEY, '--against', forged.out]);
  // The same evidence gives the same conclusion, whichever copy is asked.
  const reversed = await civic(['verify', forged.out, '--key', KEY, '--against', folder.out]);
  expect(conclusionOf(reversed)).toEqual(conclusionOf(compared));
  const seen = path.join(forged.root, 'checkpoint');
  await civic(['cosign', folder.out, '--key', KEY, '--out', seen], witnessKey.text);
  const trust = ['--key', KEY, '--witness', WITNESS, '--checkpoint', seen, '--against'];
  for (const [one, other] of [
    [folder.out, forged.out],
    [forged.out, folder.out],
  ] as const)
    expect((await civic(['verify', one, ...trust, other])).output).toContain(
      `${forged.out} was rewritten: witness.example.net signed what the other copy tells`,
    );

  const unsigned = await copyPublisher(folder);
  await publish(unsigned, 'Edited.', { signingKey: undefined });
  const edited = (await copied(unsigned)).out;
  cpSync(path.join(folder.out, 'log'), path.join(edited, 'log'), { recursive: true });
  const says = 'Somebody changed the tree after it was signed';
  await ends(1, says, ['verify', folder.out, '--against', edited]);
  expect((await civic(['verify', unsigned.out])).output).toContain('is not signed');
  expect((await civic(['verify', unsigned.out, '--key', KEY])).output).toContain('log-absent');
});

test('a copy in an archive is compared like a folder, and a broken one is refused', async () => {
  const forged = await releases(await temporaryFolder(), 'Forged.');
  const [other, same] = [path.join(forged.root, 'other.zip'), path.join(forged.root, 'same.zip')];
  await snapshot(forged.out, { out: other, only: null }, () => undefined);
  await snapshot(folder.out, { out: same, only: null }, () => undefined);
  const compare = (against: string) =>
    verify(folder.out, { jobs: 1, memory: '400MB', against }, () => undefined).then(
      () => 'same',
      (error: RefusedError) => error.diagnostics.map(one => `${one.code} ${one.message}`).join(),
    );
  expect(await compare(other)).toMatch(/^log-rewritten .* tell different pasts: release 1 is 2031-05-17-/);
  expect(await compare(same)).toBe('same');
  for (const archive of [other, same]) {
    const bytes = readFileSync(archive);
    writeFileSync(archive, bytes.subarray(0, bytes.length >> 1));
    expect(await compare(archive)).toMatch(/^archive-/);
  }
  rmSync(same);
  expect(await compare(same)).toContain('has no log');
});

const conclusionOf = ({ output }: { readonly output: string }) =>
  output.split('\n').filter(line => line.includes('log-rewritten'));

test('copies at two addresses have one log, and an older one is told from a forged one', async () => {
  const places = [];
  for (const baseUrl of [null, 'https://mirror.example.net/data/']) {
    const one = await copyPublisher(folder);
    await publish(one, 'First.', { baseUrl });
    cpSync(one.out, `${one.out}-older`, { recursive: true });
    await publish(one, 'Second.', { baseUrl });
    places.push(one.out);
  }
  const [here = '', there = ''] = places;
  const older = `${here}-older`;
  for (const [one, other, said] of [
    [here, there, `${there} has the same 2 releases.`],
    [there, here, `${here} has the same 2 releases.`],
    [there, older, `${older} lacks 1 release: 2031-05-17-`],
    [older, there, `${there} has 1 release more: 2031-05-17-`],
  ] as const)
    await ends(0, said, ['verify', one, '--key', KEY, '--against', other]);
  const seen = path.join(await temporaryFolder(), 'checkpoint');
  const cosign = (tree: string) => civic(['cosign', tree, '--key', KEY, '--out', seen], witnessKey.text);
  expect(await cosign(there)).toMatchObject({ status: 0 });
  const trust = ['--key', KEY, '--witness', WITNESS, '--checkpoint', seen];
  const rolled = [await cosign(older), await civic(['verify', older, ...trust])];
  for (const { status, output } of rolled)
    expect([status, output]).toEqual([1, expect.stringMatching(/release 1.* rolled back/)]);
});

test('entries of earlier programs state the manifest, and their logs go on', async () => {
  const publisher = await releases(await temporaryFolder(), 'First.');
  const bytes = readFileSync(path.join(publisher.out, 'manifest.json'));
  const { release, date } = JSON.parse(bytes.toString()) as { release: string; date: string };
  const manifest = createHash('sha256').update(bytes).digest('hex');
  const earlier = await copyPublisher(publisher);
  cpSync(publisher.out, earlier.out, { recursive: true });
  for (const [name, text] of logFiles([{ release, date, manifest }], publisherKey.key))
    writeFileSync(path.join(earlier.out, name), text);
  expect(await verifyLog(folderSource(earlier.out), NO_TRUST)).toMatchObject({ entry: 1, entries: 1 });
  expect(await compareLogs(folderSource(publisher.out), folderSource(earlier.out), NO_TRUST)).toMatchObject({
    more: [],
    less: [],
  });
  await publish(earlier, 'Later.');
  await ends(0, 'is number 2 of 2', ['verify', earlier.out, '--key', KEY]);
});

test('a witness signs what goes on from what it saw, and verify demands it', async () => {
  const seen = path.join(await temporaryFolder(), 'checkpoint');
  const cosign = (tree: string) => civic(['cosign', tree, '--key', KEY, '--out', seen], witnessKey.text);
  expect(await cosign(folder.out)).toMatchObject({ status: 0 });
  const demand = ['verify', folder.out, '--key', KEY, '--witness', WITNESS];
  expect((await civic(demand)).output).toContain('witness.example.net has not signed');
  expect((await civic([...demand, '--checkpoint', seen])).output).toContain(
    'and by witness.example.net as a witness',
  );
  const forged = await releases(await temporaryFolder(), 'Forged.');
  const before = readFileSync(seen, 'utf8');
  const refused = await cosign(forged.out);
  expect([refused.status, refused.output]).toEqual([1, expect.stringContaining('log-rewritten')]);
  expect(readFileSync(seen, 'utf8')).toBe(before);
});

test('a key is never overwritten, and only its owner can read it', async () => {
  const file = path.join(await temporaryFolder(), 'signing.key');
  const made = await civic(['keygen', '--name', 'data.example.org', '--out', file]);
  expect(made).toMatchObject({ status: 0 });
  expect(made.output).not.toContain('PRIVATE');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await civic(['keygen', '--name', 'data.example.org', '--out', file])).output).toContain(
    'key-exists',
  );
  const signed = { ...folder, root: path.dirname(file), out: path.join(path.dirname(file), 'dist') };
  expect(await civic([...buildArguments(signed), '--signing-key', file])).toMatchObject({ status: 0 });
  const witness = path.join(path.dirname(file), 'witness.key');
  const args = ['--witness', '--name', 'witness.example.net', '--out', witness];
  expect(await civic(['keygen', ...args])).toMatchObject({ status: 0 });
  expect(parsePublicKey(readFileSync(`${witness}.pub`, 'utf8'))?.kind).toBe('witness');
  await ends(3, 'is the key of a witness', ['verify', signed.out, '--key', `${witness}.pub`]);
  const archive = path.join(signed.root, 'tree.zip');
  await ends(0, '', ['snapshot', signed.out, '--out', archive]);
  await ends(0, 'number 1 of 1', ['verify', archive, '--key', `${file}.pub`]);
});
