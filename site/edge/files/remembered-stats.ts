/** Files whose lengths and times are looked up again only after a while, for hosts where each look-up is a request. */
import type { FileStat, Files } from './files.ts';

/**
 * Beyond this number all are forgotten. A tree has few files that are asked for, and names without a file are not kept.
 */
const MOST = 10_000;

/** `after`: milliseconds for which a length and a time stay valid. */
export function rememberStats(files: Files, after: number, now: () => number = Date.now): Files {
  const found = new Map<string, { readonly stat: FileStat; readonly until: number }>();
  return {
    async stat(path, signal) {
      const known = found.get(path);
      if (known && now() < known.until) return known.stat;
      const stat = await files.stat(path, signal);
      if (found.size >= MOST) found.clear();
      if (stat) found.set(path, { stat, until: now() + after });
      else found.delete(path);
      return stat;
    },
    read: (path, range, signal) => files.read(path, range, signal),
    stream: (path, range, signal) => files.stream(path, range, signal),
  };
}
