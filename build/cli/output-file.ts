/** Writes an answer to a stream, or to a file that appears only when it is complete. */
import { open, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { UnableError } from '../failure.ts';

export async function writeFileWhole(parts: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  if ((await stat(file).catch(() => null))?.isDirectory())
    throw new UnableError('cannot-write', `${file} is a folder. Name a file.`);
  const handle = await open(part, 'wx').catch(error => {
    throw new UnableError('cannot-write', error instanceof Error ? error.message : String(error));
  });
  try {
    for await (const bytes of parts) await handle.writeFile(bytes);
    await handle.close();
    await rename(part, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

/** Waits while the stream is full. A reader that stops early (`| head`) is no error. */
export async function writeStream(parts: AsyncIterable<Uint8Array>, out: Writable): Promise<void> {
  let gone = false;
  let failed: Error | null = null;
  let wake = (): void => undefined;
  const stop = (error: NodeJS.ErrnoException) => {
    gone = true;
    if (error.code !== 'EPIPE') failed = error;
    wake();
  };
  out.on('error', stop);
  out.on('drain', () => wake());
  for await (const bytes of parts) {
    if (gone) break;
    if (!out.write(bytes)) {
      await new Promise<void>(done => {
        wake = done;
        if (gone) done();
      });
    }
  }
  if (failed) throw failed;
}
