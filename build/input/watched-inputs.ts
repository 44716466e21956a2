/** Watches folders by looking at names, sizes and times: events of a file system are lost on many mounts. */
import { setTimeout as pause } from 'node:timers/promises';
import { listLake } from '../lake/lake-files.ts';

/** Milliseconds between two looks. */
const INTERVAL = 400;

/**
 * Acts once, and again whenever files of the folders have changed and stand still, until `signal` aborts. A folder may be
 * missing. A bucket is not watched.
 */
export async function watchInputs(
  folders: readonly string[],
  act: () => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const local = folders.filter(folder => !/^s3:/i.test(folder));
  let acted: string | null = null;
  let last = '';
  while (signal?.aborted !== true) {
    const now = JSON.stringify(local.map(lookAt));
    if (acted === null || (now !== acted && now === last)) {
      acted = now;
      await act();
    }
    last = now;
    await pause(INTERVAL, undefined, { ref: true });
  }
}

function lookAt(folder: string): unknown {
  try {
    return listLake(folder).files.map(({ path, fingerprint }) => [path, fingerprint]);
  } catch {
    return null;
  }
}
