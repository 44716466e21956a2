/** Damaged and hostile archives are found and named, and nothing is written outside. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verify } from '../../build/archive/verify.ts';
import { readZip, textEntry, zipBytes } from '../../build/archive/zip.ts';
import { RefusedError } from '../../build/failure.ts';
import { isInstalled } from '../installed.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { makeArchives, run } from './archives.ts';

const archives = await makeArchives();
const NOON = new Date('2031-05-17T00:00:00Z');
let folder: string;
let temporary: string;

afterEach(() => {
  vi.restoreAllMocks();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  temporary = path.join(folder, 'deep', 'temporary');
  await mkdir(temporary, { recursive: true });
  vi.spyOn(os, 'tmpdir').mockReturnValue(temporary);
});

/** `code file` of everything found. Nothing may be left inside or outside the temporary folder. */
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

/** The writer refuses hostile names, so they replace other names of the same length. */
async function zipOf(...names: readonly string[]): Promise<Buffer> {
  const others = names.map((name, i) => String(i).padEnd(Buffer.byteLength(name), 'x'));
  const parts: Uint8Array[] = [];
  for await (const part of zipBytes(entries(...others))) parts.push(part);
  const bytes = Buffer.concat(parts);
  for (const [i, other] of others.entries())
    for (let at = bytes.indexOf(other); at >= 0; at = bytes.indexOf(other, at + 1))
      bytes.write(names[i]!, at);
  return bytes;
}

const packed = async (...names: readonly string[]) => write('made.zip', await zipOf(...names));

describe('an archive with', () => {
  test.each([
    ...['../evil', 'bag/../../evil', '/evil', 'bag/ev\0il', 'bag\\..\\..\\evil', 'C:/evil', 'bag//evil'],
    ...[`bag/${'evil'.repeat(100)}`, `bag/${'evil/'.repeat(400)}x`],
  ])('the name %j', async name => expect(await codes(await packed(name))).toEqual(['archive-unsafe-name']));

  test('the same name twice, and a file where a folder is', async () => {
    for (const [names, found] of [
      [['bag/a', 'bag/a'], 'bag/a'],
      [['bag/a', 'bag/a/b'], 'bag/a/b'],
      [['bag/a/b', 'bag/a'], 'bag/a'],
    ] as const)
      expect(await findings(await packed(...names))).toEqual([`archive-duplicate ${found}`]);
  });

  test('not a bag: two folders, no folder, or nothing', async () => {
    for (const names of [['bag/a', 'other/b'], ['a'], [], ['bag/a']])
      expect(await codes(await packed(...names))).toEqual(['not-a-bag']);
  });

  test('cut off anywhere', async () => {
    const whole = await readFile(archives.archive('all.zip'));
    for (const part of [0, 0.001, 0.3, 0.7, 0.999]) {
      const file = await write('cut.zip', whole.subarray(0, Math.floor(whole.length * part)));
      expect((await codes(file)).join(), String(part)).toMatch(
        /^(archive-truncated|archive-corrupt|not-a-bag)$/,
      );
    }
  });

  test('one bit anywhere', async () => {
    const whole = await readFile(archives.archive('all.zip'));
    for (let i = 0; i < 8; i++) {
      const at = Math.floor(((i + 0.5) * whole.length) / 8);
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << i);
      expect(await findings(await write('bit.zip', bytes)), String(at)).not.toEqual([]);
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

test.each([
  ['a symbolic link', 0o120777],
  ['a device', 0o020666],
  ['a pipe', 0o010666],
])('%s', async (_, mode) => {
  const bytes = await zipOf('bag/evil');
  bytes.writeUInt32LE((mode << 16) >>> 0, bytes.lastIndexOf('PK\x01\x02') + 38);
  expect(await findings(await write('link.zip', bytes))).toEqual(['archive-unsafe-entry bag/evil']);
});

test('two directories, of which programs may read different ones', async () => {
  const [one, other] = [await zipOf('bag/a'), await zipOf('bag/evil', 'bag/b')];
  for (const bytes of [
    Buffer.concat([one, other]),
    Buffer.concat([one, other.subarray(other.indexOf('PK\x01\x02'))]),
  ])
    expect((await codes(await write('two.zip', bytes)))[0]).toMatch(/^archive-(corrupt|truncated)$/);
});

test.skipIf(!isInstalled('zip'))(
  'a symbolic link in a .zip, and one that another program packs',
  async () => {
    const shell = (script: string) => run('sh', '-c', `cd '${folder}' && ${script}`);
    shell('mkdir bag && ln -s /etc/passwd bag/evil && zip -qry link.zip bag && rm -r bag');
    expect(await findings(path.join(folder, 'link.zip'))).toEqual(['archive-unsafe-entry bag/evil']);
    shell(`unzip -q '${archives.archive('all.zip')}' && zip -qr again.zip weather-*`);
    await expect(
      verify(path.join(folder, 'again.zip'), { jobs: 1, memory: '400MB' }, () => undefined),
    ).resolves.toBeTruthy();
  },
);

/** Sets the length of the first entry in the directory. */
function sayLength(bytes: Buffer, length: number): Buffer {
  bytes.writeUInt32LE(length, bytes.lastIndexOf('PK\x01\x02') + 24);
  return bytes;
}

test.each([3, 5, 0xfffffff0])('a .zip of 4 bytes that says it has %i', async length => {
  const bytes = await readFile(await packed('bag/a'));
  const file = await write('size.zip', sayLength(bytes, length));
  expect((await codes(file))[0]).toMatch(/^archive-(corrupt|truncated)$/);
});

test.skipIf(!isInstalled('zip'))('a compressed .zip that says it has more than any may hold', async () => {
  run(
    'sh',
    '-c',
    `cd '${folder}' && mkdir bag && head -c 4000 /dev/zero > bag/zeros && zip -q a.zip bag/zeros`,
  );
  const bytes = sayLength(await readFile(path.join(folder, 'a.zip')), (1 << 30) + 1);
  expect(await findings(await write('bomb.zip', bytes))).toEqual(['archive-too-large bag/zeros']);
});

test('not an archive', async () => {
  const file = await write('none.zip', Buffer.from('not an archive'));
  expect((await codes(file))[0]).toMatch(/^archive-(corrupt|truncated)$/);
});

test('long and foreign names, and files of every size, come back as they were', async () => {
  const names = [`bag/${'d/'.repeat(60)}name`, `bag/${'x'.repeat(180)}`, 'bag/Ümlaut/日本'];
  const large = Buffer.alloc((16 << 20) + 1, 'rows of text, ');
  async function* all() {
    yield* entries(...names);
    yield {
      ...textEntry('bag/large', '', NOON),
      bytes: large.length,
      read: async function* () {
        yield large;
      },
    };
    yield textEntry('bag/last', 'evil', NOON);
  }
  const found: string[] = [];
  for await (const { name, bytes, modified, read } of readZip(await write('names.zip', zipBytes(all())))) {
    const parts: Uint8Array[] = [];
    for await (const part of read()) parts.push(Uint8Array.from(part));
    found.push(name);
    const content = name === 'bag/large' ? large : Buffer.from('evil');
    expect([bytes, modified]).toEqual([content.length, new Date('2031-05-17T12:00:00Z')]);
    expect(Buffer.concat(parts).equals(content)).toBe(true);
  }
  expect(found).toEqual([...names, 'bag/large', 'bag/last']);
});

test('a file that fails while it is packed ends the archive with its error', async () => {
  for (const bytes of [10, 20 << 20]) {
    async function* broken() {
      yield {
        ...textEntry('bag/a', '', NOON),
        bytes,
        read: async function* () {
          yield Buffer.from('a');
          throw new Error('Unplugged.');
        },
      };
    }
    await expect(write('broken.zip', zipBytes(broken()))).rejects.toThrow('Unplugged.');
  }
});

test('a bag in a folder: missing, extra, changed or wrongly listed files', async () => {
  const bag = path.join(folder, 'bag');
  const whole = path.join(folder, 'whole');
  run('sh', '-c', `cd '${folder}' && unzip -q '${archives.archive('rain.zip')}' && mv weather-* whole`);
  const at = (name: string) => path.join(bag, name);
  // Each row is a bag, so that several are verified at once.
  const bags: readonly (readonly (readonly [change: () => unknown, found: string])[])[] = [
    [
      [() => rm(at('data/index.json')), 'bag-missing-file data/index.json'],
      [() => writeFile(at('data/more.txt'), ''), 'bag-extra-file data/more.txt'],
      [() => run('mkfifo', at('data/pipe')), 'bag-extra-file data/pipe'],
      [() => writeFile(at('data/llms.txt'), 'x'), 'bag-corrupt-file data/llms.txt'],
      [() => writeFile(at('README.txt'), 'x'), 'bag-corrupt-file README.txt'],
      [() => writeFile(at('bag-info.txt'), 'Payload-Oxum: 1.1\n'), 'bag-corrupt-file bag-info.txt'],
    ],
    [
      [
        () => run('sh', '-c', `cd '${bag}/data' && rm llms.txt && mkfifo llms.txt`),
        'bag-missing-file data/llms.txt',
      ],
      [() => writeFile(at('tagmanifest-sha512.txt'), 'x\n'), 'bag-manifest tagmanifest-sha512.txt'],
    ],
    [[() => rm(at('manifest-sha512.txt')), 'bag-missing-file manifest-sha512.txt']],
    [[() => writeFile(at('bagit.txt'), 'BagIt-Version: 9\n'), 'bag-declaration bagit.txt']],
  ];
  for (const changes of bags) {
    await rm(bag, { recursive: true, force: true });
    await cp(whole, bag, { recursive: true });
    for (const [change] of changes) await change();
    expect(await findings(bag)).toEqual(expect.arrayContaining(changes.map(([, found]) => found)));
  }
});
