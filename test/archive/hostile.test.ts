/** Archives that are damaged or made to do harm: found, named, and nothing is written outside. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { compress } from '@bokuweb/zstd-wasm';
import { pack as packTar } from 'tar-stream';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { textEntry } from '../../build/archive/entry.ts';
import { tarBytes } from '../../build/archive/tar-format.ts';
import { readTar } from '../../build/archive/tar-reader.ts';
import { verify } from '../../build/archive/verify.ts';
import { zipBytes } from '../../build/archive/zip-format.ts';
import { readZip } from '../../build/archive/zip-reader.ts';
import { startZstd, unzstdBytes, zstdBytes } from '../../build/archive/zstd-frames.ts';
import { RefusedError } from '../../build/failure.ts';
import { listFiles } from '../../build/lake/lake-files.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { type KeptArchives, keptArchives } from './kept-archives.ts';
import { lacks, run } from './programs.ts';

const NOON = new Date('2031-05-17T00:00:00Z');
let archives: KeptArchives;
let folder: string;
/** Where archives are unpacked. */
let temporary: string;

beforeAll(async () => {
  await startZstd();
  archives = await keptArchives();
});
afterEach(() => {
  vi.restoreAllMocks();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  temporary = path.join(folder, 'deep', 'temporary');
  await mkdir(temporary, { recursive: true });
  vi.spyOn(os, 'tmpdir').mockReturnValue(temporary);
});

/** `code file` of everything found; nothing may be left, inside or outside of the temporary folder. */
async function findings(location: string): Promise<string[]> {
  const error: unknown = await verify(location, { jobs: 1, memory: '400MB' }, () => undefined).catch(
    reason => reason,
  );
  expect(await readdir(temporary)).toEqual([]);
  expect((await readdir(folder, { recursive: true })).filter(name => /evil/.test(name))).toEqual([]);
  if (error instanceof RefusedError) return error.diagnostics.map(one => `${one.code} ${one.file}`);
  throw error;
}

const codes = async (location: string) => (await findings(location)).map(one => one.split(' ')[0]);

async function write(name: string, parts: AsyncIterable<Uint8Array> | Uint8Array): Promise<string> {
  const all: Uint8Array[] = [];
  if (parts instanceof Uint8Array) all.push(parts);
  else for await (const part of parts) all.push(Uint8Array.from(part));
  const file = path.join(folder, name);
  await writeFile(file, Buffer.concat(all));
  return file;
}

async function* entries(...names: readonly string[]) {
  for (const name of names) yield textEntry(name, 'evil', NOON);
}

const packed = (ending: string, ...names: readonly string[]) =>
  write(
    `made.${ending}`,
    ending === 'zip' ? zipBytes(entries(...names)) : zstdBytes(tarBytes(entries(...names))),
  );

describe.each(['zip', 'tar.zst'])('.%s', ending => {
  test.each([
    ...['../evil', 'bag/../../evil', '/evil', 'bag/ev\0il', 'bag\\..\\..\\evil', 'C:/evil', 'bag//evil'],
    ...[`bag/${'evil'.repeat(100)}`, `bag/${'evil/'.repeat(400)}x`],
  ])('the name %j', async name =>
    expect(await codes(await packed(ending, name))).toEqual(['archive-unsafe-name']),
  );

  test('the same name twice, and a file where a folder is', async () => {
    for (const [names, found] of [
      [['bag/a', 'bag/a'], 'bag/a'],
      [['bag/a', 'bag/a/b'], 'bag/a/b'],
      [['bag/a/b', 'bag/a'], 'bag/a'],
    ] as const)
      expect(await findings(await packed(ending, ...names))).toEqual([`archive-duplicate ${found}`]);
  });

  test('no bag: two folders, no folder, or nothing at all', async () => {
    for (const names of [['bag/a', 'other/b'], ['a'], [], ['bag/a']])
      expect(await codes(await packed(ending, ...names))).toEqual(['not-a-bag']);
  });

  test('cut off anywhere', async () => {
    const whole = await readFile(archives.archive(`all.${ending}`));
    for (const part of [0, 0.001, 0.3, 0.7, 0.999]) {
      const file = await write(`cut.${ending}`, whole.subarray(0, Math.floor(whole.length * part)));
      expect((await codes(file)).join(), String(part)).toMatch(
        /^(archive-truncated|archive-corrupt|not-a-bag)$/,
      );
    }
  });

  test('one bit anywhere', async () => {
    const whole = await readFile(archives.archive(`all.${ending}`));
    for (let i = 0; i < 8; i++) {
      const at = Math.floor(((i + 0.5) * whole.length) / 8);
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << i);
      expect(await findings(await write(`bit.${ending}`, bytes)), String(at)).not.toEqual([]);
    }
  });
});

test.each<[what: string, at: (bytes: Buffer) => number, found: RegExp]>([
  ['a time in a header', bytes => bytes.indexOf('README.txt') - 45, /^archive-corrupt /],
  ['a byte of the directory', bytes => bytes.lastIndexOf('PK\x01\x02') + 5, /^archive-corrupt /],
  [
    'a file',
    bytes => bytes.indexOf('Rain of a season.'),
    /^archive-corrupt weather-of-arcadia-[^/]+\/data\//,
  ],
])('a bit of a .zip in %s', async (_, at, found) => {
  const bytes = await readFile(archives.archive('all.zip'));
  const place = at(bytes);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  expect((await findings(await write('bit.zip', bytes)))[0]).toMatch(found);
});

describe('a .tar.zst of several frames', () => {
  /** The archive's own bytes, in frames of 64 kB, so that one holds whole files and headers and not the rest. */
  async function inSmallFrames(): Promise<Buffer[]> {
    const parts: Uint8Array[] = [];
    const stored = await readFile(archives.archive('all.tar.zst'));
    for await (const part of unzstdBytes(Readable.from([stored]))) parts.push(part);
    const tar = Buffer.concat(parts);
    const starts = Array.from({ length: Math.ceil(tar.length / 65_536) }, (_, i) => i * 65_536);
    return starts.map(at => Buffer.from(compress(tar.subarray(at, at + 65_536), 3)));
  }

  test('one that is damaged: what it held is named by its paths, and nothing else', async () => {
    const frames = await inSmallFrames();
    const middle = frames[Math.floor(frames.length / 2)]!;
    // The first block's kind is made one that there is not within it: nothing of the frame can be read.
    middle.fill(0xff, middle.length - 24, middle.length - 4);
    const [archive, ...files] = await findings(await write('frame.tar.zst', Buffer.concat(frames)));
    expect(archive).toMatch(/^archive-corrupt .*frame\.tar\.zst$/);
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThan(listFiles(archives.publisher.out).length / 3);
    for (const file of files) expect(file).toMatch(/^(bag|tree)-(missing|corrupt)-file data\//);
  });

  test('cut off within a file: named by its path', async () => {
    const whole = Buffer.concat(await inSmallFrames());
    const found = await findings(await write('cut.tar.zst', whole.subarray(0, Math.floor(whole.length / 2))));
    expect(found).toEqual([expect.stringMatching(/^archive-truncated weather-of-arcadia-[^/]+\/data\//)]);
  });
});

test('links and devices', async () => {
  for (const type of ['symlink', 'link', 'character-device', 'fifo'] as const) {
    const tar = packTar();
    tar.entry({ name: 'bag/evil', type, linkname: '/etc/passwd', mtime: NOON });
    tar.finalize();
    expect(await findings(await write('link.tar.zst', zstdBytes(tar as AsyncIterable<Uint8Array>)))).toEqual([
      'archive-unsafe-entry bag/evil',
    ]);
  }
});

test.skipIf(lacks('zip'))('a symbolic link in a .zip, and one that another program packs', async () => {
  const shell = (script: string) => run('sh', '-c', `cd '${folder}' && ${script}`);
  shell('mkdir bag && ln -s /etc/passwd bag/evil && zip -qry link.zip bag && rm -r bag');
  expect(await findings(path.join(folder, 'link.zip'))).toEqual(['archive-unsafe-entry bag/evil']);
  shell(`unzip -q '${archives.archive('all.zip')}' && zip -qr again.zip weather-*`);
  await expect(
    verify(path.join(folder, 'again.zip'), { jobs: 1, memory: '400MB' }, () => undefined),
  ).resolves.toBeTruthy();
});

/** Of the first entry, in the directory. */
function sayLength(bytes: Buffer, length: number): Buffer {
  bytes.writeUInt32LE(length, bytes.lastIndexOf('PK\x01\x02') + 24);
  return bytes;
}

test.each([3, 5, 0xfffffff0])('a .zip of 4 bytes that says it has %i', async length => {
  const bytes = await readFile(await packed('zip', 'bag/a'));
  const file = await write('size.zip', sayLength(bytes, length));
  expect((await codes(file))[0]).toMatch(/^archive-(corrupt|truncated)$/);
});

test.skipIf(lacks('zip'))('a compressed .zip that says it has more than any may hold', async () => {
  run(
    'sh',
    '-c',
    `cd '${folder}' && mkdir bag && head -c 4000 /dev/zero > bag/zeros && zip -q a.zip bag/zeros`,
  );
  const bytes = sayLength(await readFile(path.join(folder, 'a.zip')), (1 << 30) + 1);
  expect(await findings(await write('bomb.zip', bytes))).toEqual(['archive-too-large bag/zeros']);
});

test('a .tar.zst that says it has too much, whose frames lie or do not say, or that is none', async () => {
  const header: Uint8Array[] = [];
  const tar = packTar();
  tar.entry({ name: 'bag/zeros', size: (1 << 30) + 1, mtime: NOON });
  tar.once('data', part => header.push(part as Uint8Array));
  await new Promise(setImmediate);
  const bomb = compress(Buffer.concat([...header, new Uint8Array(1 << 20)]), 3);
  const large = Buffer.from(compress(new Uint8Array(1 << 20), 3));
  large.writeUInt32LE(0x7fffffff, 5);
  const unsaid = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x01, 0x00, 0x00]);
  for (const [bytes, found] of [
    [bomb, /^archive-too-large bag\/zeros$/],
    [large, /^archive-corrupt /],
    [unsaid, /^archive-corrupt /],
    [Buffer.from('no archive at all'), /^archive-corrupt /],
  ] as const)
    expect((await findings(await write('lie.tar.zst', bytes)))[0]).toMatch(found);
});

test('names that tar and ZIP must write in their longer forms come back as they were', async () => {
  const names = [
    'bag/a',
    `bag/${'d/'.repeat(60)}name`,
    `bag/${'x'.repeat(180)}`,
    'bag/Ümlaut/日本',
    `bag/${'y'.repeat(99)}/${'z'.repeat(120)}`,
  ];
  const files = [await packed('zip', ...names), await packed('tar.zst', ...names)] as const;
  for (const [read, file] of [
    [readZip, files[0]],
    [readTar, files[1]],
  ] as const) {
    const found: string[] = [];
    for await (const { name, bytes, modified, read: content } of read(file, () => undefined)) {
      const parts: Uint8Array[] = [];
      for await (const part of content()) parts.push(Uint8Array.from(part));
      found.push(name);
      expect([bytes, modified, Buffer.concat(parts).toString()]).toEqual([4, NOON, 'evil']);
    }
    expect(found).toEqual(names);
  }
  if (lacks('tar') || lacks('zstd')) return;
  const list = run('sh', '-c', `zstd -dc '${files[1]}' | tar --quoting-style=literal -tf -`);
  expect(list.trim().split('\n')).toEqual(names);
});

test('more entries than ZIP can count without its longer form', async () => {
  async function* many() {
    for (let i = 0; i < 70_000; i++) yield textEntry(`bag/${i}`, '', NOON);
  }
  const file = await write('many.zip', zipBytes(many()));
  let count = 0;
  for await (const _ of readZip(file)) count++;
  expect(count).toBe(70_000);
  if (!lacks('unzip')) expect(run('unzip', '-l', file)).toMatch(/70000 files/);
});

test('a bag in a folder: what is missing, extra, changed or said wrong', async () => {
  const bag = path.join(folder, 'bag');
  const whole = path.join(folder, 'whole');
  run('sh', '-c', `cd '${folder}' && unzip -q '${archives.archive('all.zip')}' && mv weather-* whole`);
  const at = (name: string) => path.join(bag, name);
  const cases: readonly (readonly [change: () => unknown, found: string])[] = [
    [() => rm(at('data/index.json')), 'bag-missing-file data/index.json'],
    [() => writeFile(at('data/more.txt'), ''), 'bag-extra-file data/more.txt'],
    [() => run('mkfifo', at('data/pipe')), 'bag-extra-file data/pipe'],
    [
      () => run('sh', '-c', `cd '${bag}/data' && rm llms.txt && mkfifo llms.txt`),
      'bag-missing-file data/llms.txt',
    ],
    [() => writeFile(at('data/llms.txt'), 'x'), 'bag-corrupt-file data/llms.txt'],
    [() => writeFile(at('README.txt'), 'x'), 'bag-corrupt-file README.txt'],
    [() => rm(at('manifest-sha512.txt')), 'bag-missing-file manifest-sha512.txt'],
    [() => writeFile(at('tagmanifest-sha512.txt'), 'x\n'), 'bag-manifest tagmanifest-sha512.txt'],
    [() => writeFile(at('bagit.txt'), 'BagIt-Version: 9\n'), 'bag-declaration bagit.txt'],
    [() => writeFile(at('bag-info.txt'), 'Payload-Oxum: 1.1\n'), 'bag-payload-oxum bag-info.txt'],
  ];
  for (const [change, found] of cases) {
    await rm(bag, { recursive: true, force: true });
    await cp(whole, bag, { recursive: true });
    await change();
    expect(await findings(bag)).toContain(found);
  }
});
