/** Files whose lengths and times are looked at again only after a while. */
import type { FileStat, Files } from './files.ts';

/** More are forgotten at once: the tree's own are few, and names that are not there are not remembered. */
const MOST = 10_000;

/** `after`: milliseconds for which what was found is taken to be so still. */
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
