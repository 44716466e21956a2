/** The log of releases against published vectors, and against a verifier that shares no code with it. */
import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  formatPublicKey,
  generateKey,
  parsePublicKey,
  parseSigningKey,
  publicKeyOf,
} from '../../build/log/log-key.ts';
import { leafHash, rootHash, tilePath, tilesOf } from '../../build/log/merkle-tree.ts';
import { type LogEntry, logFiles, parseBundle, parseCheckpoint } from '../../build/log/release-log.ts';
import { cosignNote, formatNote, isSignedBy, parseNote } from '../../build/log/signed-note.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

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
  const leaves = LEAVES.map(hex => leafHash(Buffer.from(hex, 'hex')));
  expect(ROOTS.map((_, size) => rootHash(leaves.slice(0, size)).toString('hex'))).toEqual(ROOTS);
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
  expect(parseNote('no note\n')).toBeNull();
});

/** The key that a public witness publishes: its type is that of cosignatures, 4. */
const PUBLISHED_WITNESS =
  'witness.navigli.sunlight.geomys.org+a3e00fe2+BNy/co4C1Hn1p+INwJrfUlgz7W55dSZReusH/GhUhJ/G';

test('the key of a witness has the form that witnesses publish', () => {
  const key = parsePublicKey(PUBLISHED_WITNESS);
  expect(key?.kind).toBe('witness');
  expect(key && formatPublicKey(key)).toBe(PUBLISHED_WITNESS);
});

test('a private key is its own text; a witness signs what it saw and when', () => {
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
    // Earlier programs stated the manifest.
    [i < 2 ? 'manifest' : 'content']: createHash('sha256').update(String(i)).digest('hex'),
  }));

/** Reads a log with Python's standard library and openssl alone, as FORMAT.md tells. */
const VERIFIER = String.raw`
import base64, hashlib, os, struct, subprocess, sys
log, vkey = sys.argv[1], sys.argv[2]
note = open(os.path.join(log, 'checkpoint'), encoding='utf-8').read()
text, signatures = note.rsplit('\n\n', 1)
text += '\n'
origin, size, root = text.split('\n')[:3]
name, key_id, encoded = vkey.split('+', 2)
key = base64.b64decode(encoded)
for line in signatures.strip().split('\n'):
    dash, who, signature = line.split(' ')
    signature = base64.b64decode(signature)
    if who == name and signature[:4].hex() == key_id: break
else: sys.exit('not signed by ' + name)
here = os.path.dirname(log)
open(os.path.join(here, 'k.der'), 'wb').write(bytes.fromhex('302a300506032b6570032100') + key[1:])
open(os.path.join(here, 'sig'), 'wb').write(signature[4:])
open(os.path.join(here, 'text'), 'wb').write(text.encode())
subprocess.run(['openssl', 'pkeyutl', '-verify', '-pubin', '-keyform', 'DER', '-inkey', os.path.join(here, 'k.der'), '-rawin',
  '-in', os.path.join(here, 'text'), '-sigfile', os.path.join(here, 'sig')], check=True, stdout=subprocess.DEVNULL)
leaves = []
size = int(size)
for n in range((size + 255) // 256):
    width = min(256, size - 256 * n)
    file = os.path.join(log, 'tile/entries/%03d' % n) + ('' if width == 256 else '.p/%d' % width)
    data = open(file, 'rb').read()
    while data:
        length, = struct.unpack('>H', data[:2])
        leaves.append(hashlib.sha256(b'\0' + data[2:2 + length]).digest())
        data = data[2 + length:]
stack = []
for i, leaf in enumerate(leaves):
    stack.append(leaf)
    while i & 1:
        right, left = stack.pop(), stack.pop()
        stack.append(hashlib.sha256(b'\1' + left + right).digest())
        i >>= 1
while len(stack) > 1:
    right, left = stack.pop(), stack.pop()
    stack.append(hashlib.sha256(b'\1' + left + right).digest())
if base64.b64encode(stack[0]).decode() != root: sys.exit('the root differs')
print(origin, len(leaves))
`;

const canRun =
  spawnSync('python3', ['--version']).status === 0 && spawnSync('openssl', ['version']).status === 0;

test.skipIf(!canRun)('Python and openssl find the same roots and signatures', async () => {
  const { key } = generateKey('data.example.org');
  const vkey = formatPublicKey(publicKeyOf(key, 'signer'));
  for (const count of [1, 7, 256, 600]) {
    const folder = await temporaryFolder();
    const entries = entriesOf(count);
    for (const [name, bytes] of logFiles(entries, key)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), bytes);
    }
    const run = (key: string) =>
      spawnSync('python3', ['-c', VERIFIER, path.join(folder, 'log'), key], { encoding: 'utf8' });
    expect(run(vkey)).toMatchObject({ status: 0, stdout: `data.example.org ${count}\n` });
    const other = formatPublicKey(publicKeyOf(generateKey('data.example.org').key, 'signer'));
    expect(run(other).status).not.toBe(0);
  }
});

test('what is written is read again, and what is not a log is refused', () => {
  const { key } = generateKey('data.example.org');
  const entries = entriesOf(3);
  const files = new Map(logFiles(entries, key));
  expect(parseBundle(files.get('log/tile/entries/000.p/3')!)).toEqual(entries);
  expect(parseCheckpoint(files.get('log/checkpoint')!.toString())).toMatchObject({
    origin: key.name,
    size: 3,
  });
  expect(logFiles(entries, key)).toEqual([...files]);
  expect(parseBundle(Buffer.from([0, 200, 1]))).toBeNull();
  for (const text of ['', 'a\n99999999999\nx\n\n— a AAAA\n', 'a\n1\n\n— a AAAA\n'])
    expect(parseCheckpoint(text)).toBeNull();
});

test('the vectors of FORMAT.md are true', () => {
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
  const hashes = entries.map(entry => leafHash(Buffer.from(JSON.stringify(entry))));
  const base64 = (one: Buffer | undefined) => one?.toString('base64');
  expect(Object.fromEntries(vectors)).toEqual({
    'public key': formatPublicKey(publicKeyOf(key, 'signer')),
    'the same as a witness': formatPublicKey(publicKeyOf(witness, 'witness')),
    'entry 0': JSON.stringify(entries[0]),
    'entry 1': JSON.stringify(entries[1]),
    'hash of entry 0': hashes[0]!.toString('hex'),
    'hash of entry 1': hashes[1]!.toString('hex'),
    root: root.toString('hex'),
    "checkpoint's text": note.text.replaceAll('\n', '\\n'),
    'id and signature': base64(note.signatures[0]?.bytes),
    "the witness's, at 1790000000": base64(cosignNote(note.text, witness, 1_790_000_000).bytes),
  });
  for (const [, file = '', length] of table.matchAll(/`(log\/tile\/[^`]+)` (\d+)/g))
    expect(files.get(file)).toHaveLength(Number(length));
});
