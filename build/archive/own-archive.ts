/** Recognizes an archive that `civic snapshot` wrote by its README, the first entry in both formats. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { README_HEAD } from './readme.ts';
import { unzstdBytes } from './zstd-frames.ts';

const HEAD_BYTES = 4096;

export async function isOwnArchive(file: string): Promise<boolean> {
  const head = await readHead(file);
  if (head.includes(README_HEAD)) return true;
  try {
    const { value } = await unzstdBytes(createReadStream(file)).next();
    return value !== undefined && Buffer.from(value.subarray(0, HEAD_BYTES)).includes(README_HEAD);
  } catch {
    return false;
  }
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
