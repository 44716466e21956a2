/** The log of releases against published vectors and those of FORMAT.md. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type LogEntry,
  leafHash,
  parseBundle,
  parseCheckpoint,
  parseNote,
  rootHash,
  rootOf,
  tilePath,
  tilesOf,
} from '../../build/format/signed-log.ts';
import { logFiles } from '../../build/log/release-log.ts';
import {
  cosignNote,
  formatNote,
  formatPublicKey,
  generateKey,
  isSignedBy,
  parsePublicKey,
  parseSigningKey,
  publicKeyOf,
  sha256,
} from '../../build/log/signed-note.ts';

/** Inputs and roots that implementations of RFC 6962 share as test vectors. */
const LEAVES = ' 00 10 2021 3031 40414243 5051525354555657 606162636465666768696a6b6c6d6e6f'.split(' ');
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

test('roots are those of the published vectors', () => {
  const leaves = LEAVES.map(hex => leafHash(Buffer.from(hex, 'hex'), sha256));
  expect(
    ROOTS.map((_, size) => Buffer.from(rootHash(leaves.slice(0, size), sha256)).toString('hex')),
  ).toEqual(ROOTS);
});

test('tiles have the names of tlog-tiles', () => {
  const names = [
    { level: 0, index: 0, width: 256 },
    { level: 1, index: 1234067, width: 256 },
    { level: 'entries', index: 5, width: 3 },
  ] as const;
  expect(names.map(tilePath)).toEqual(['tile/0/000', 'tile/1/x001/x234/067', 'tile/entries/005.p/3']);
  expect(tilesOf(0, 257).map(tilePath)).toEqual(['tile/0/000', 'tile/0/001.p/1']);
});

const PUBLISHED_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PUBLISHED_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

test('a note is read, checked and written as other programs do', () => {
  const key = parsePublicKey(PUBLISHED_KEY);
  const note = parseNote(PUBLISHED_NOTE);
  expect(key && formatPublicKey(key)).toBe(PUBLISHED_KEY);
  expect(key && note && isSignedBy(note, key)).toBe(true);
  expect(note && formatNote(note)).toBe(PUBLISHED_NOTE);
  const changed = parseNote(PUBLISHED_NOTE.replace('cryptography', 'cartography'));
  expect(key && changed && isSignedBy(changed, key)).toBe(false);
  expect(parsePublicKey(PUBLISHED_KEY.replace('c74f20a3', 'c74f20a4'))).toBeNull();
  const wrong = ['no note\n', PUBLISHED_NOTE.replace(' ', '\t'), PUBLISHED_NOTE.replace(/\n$/, ' ')];
  for (const text of wrong) expect(parseNote(text)).toBeNull();
});

/** A public witness's published key: its type is that of cosignatures, 4. */
const PUBLISHED_WITNESS =
  'witness.navigli.sunlight.geomys.org+a3e00fe2+BNy/co4C1Hn1p+INwJrfUlgz7W55dSZReusH/GhUhJ/G';

test('the key of a witness has the form that witnesses publish', () => {
  const key = parsePublicKey(PUBLISHED_WITNESS);
  expect(key?.kind).toBe('witness');
  expect(key && formatPublicKey(key)).toBe(PUBLISHED_WITNESS);
});

test('a private key has its own format; a witness signs what it saw and when', () => {
  const { text, key } = generateKey('data.example.org');
  expect(parseSigningKey(text)?.bytes).toEqual(key.bytes);
  expect(parseSigningKey(text.replace('example', 'exemple'))).toBeNull();
  const witness = generateKey('witness.example.net').key;
  const seen = 'data.example.org\n1\nAAAA\n';
  const note = { text: seen, signatures: [cosignNote(seen, witness, 1_790_000_000)] };
  const read = parseNote(formatNote(note))!;
  expect(isSignedBy(read, publicKeyOf(witness, 'witness'))).toBe(true);
  expect(isSignedBy(read, publicKeyOf(witness, 'signer'))).toBe(false);
  expect(isSignedBy({ ...read, text: seen.replace('1', '2') }, publicKeyOf(witness, 'witness'))).toBe(false);
});

const entriesOf = (count: number): LogEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    release: `2026-01-01-${String(i).padStart(8, '0')}`,
    date: '2026-01-01',
    content: createHash('sha256').update(String(i)).digest('hex'),
  }));

test('a written log can be read, and other files are refused', () => {
  const { key } = generateKey('data.example.org');
  for (const count of [1, 256, 600]) {
    const entries = entriesOf(count);
    const files = new Map(logFiles(entries, key));
    const bundles = tilesOf('entries', count).map(tile => files.get(`log/${tilePath(tile)}`)!);
    expect(bundles.flatMap(bytes => parseBundle(bytes)!)).toEqual(entries);
    const checkpoint = parseCheckpoint(files.get('log/checkpoint')!.toString())!;
    const root = rootOf(entries, sha256);
    expect(checkpoint).toMatchObject({ origin: key.name, size: count, root });
    expect(isSignedBy(checkpoint.note, publicKeyOf(key, 'signer'))).toBe(true);
    expect(logFiles(entries, key)).toEqual([...files]);
  }
  expect(parseBundle(Buffer.from([0, 200, 1]))).toBeNull();
  for (const text of ['', 'a\n99999999999\nx\n\n— a AAAA\n', 'a\n1\n\n— a AAAA\n'])
    expect(parseCheckpoint(text)).toBeNull();
});

test('the test vectors of FORMAT.md are right', () => {
  const [, table = ''] = readFileSync('build/format/FORMAT.md', 'utf8').split('Test vectors, ');
  const vectors = new Map(
    [...table.matchAll(/^\| ([^`|]+) \| `([^`]+)` \|$/gm)].map(([, part = '', value = '']) => [part, value]),
  );
  const seed = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
  const privateKey = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const bytes = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  const key = { name: 'data.example.org', privateKey, bytes };
  const witness = { ...key, name: 'witness.example.net' };
  const entries = ['entry 0', 'entry 1'].map(part => JSON.parse(vectors.get(part) ?? '') as LogEntry);
  const files = new Map(logFiles(entries, key));
  const { note, root } = parseCheckpoint(files.get('log/checkpoint')!.toString())!;
  const hashes = entries.map(entry => Buffer.from(leafHash(Buffer.from(JSON.stringify(entry)), sha256)));
  const base64 = (one: Uint8Array | undefined) => one && Buffer.from(one).toString('base64');
  expect(Object.fromEntries(vectors)).toEqual({
    'public key': formatPublicKey(publicKeyOf(key, 'signer')),
    'the same as a witness': formatPublicKey(publicKeyOf(witness, 'witness')),
    'entry 0': JSON.stringify(entries[0]),
    'entry 1': JSON.stringify(entries[1]),
    'hash of entry 0': hashes[0]!.toString('hex'),
    'hash of entry 1': hashes[1]!.toString('hex'),
    root,
    "checkpoint's text": note.text.replaceAll('\n', '\\n'),
    'id and signature': base64(note.signatures[0]?.bytes),
    "the witness's, at 1790000000": base64(cosignNote(note.text, witness, 1_790_000_000).bytes),
  });
  // Each entry follows its length in two bytes, the greater first.
  const bundle = entries
    .map(entry => JSON.stringify(entry))
    .map(text => `\0${String.fromCharCode(text.length)}${text}`);
  expect(files.get('log/tile/entries/000.p/2')?.toString('latin1')).toBe(bundle.join(''));
  for (const [, file = '', length] of table.matchAll(/`(log\/tile\/[^`]+)` (\d+)/g))
    expect(files.get(file)).toHaveLength(Number(length));
});
