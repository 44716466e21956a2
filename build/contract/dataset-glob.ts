/** Patterns of dataset keys, as `--only` takes them. Pure. */

/** Whether a comma-separated list of patterns names a dataset; null names all. `*` stops at a slash, `**` does not. */
export function matchesGlob(glob: string | null, key: string): boolean {
  if (glob === null) return true;
  return glob.split(',').some(part => {
    const source = part
      .trim()
      .split(/(\*\*|\*|\?)/)
      .map(piece => {
        if (piece === '**') return '.*';
        if (piece === '*') return '[^/]*';
        if (piece === '?') return '[^/]';
        return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      })
      .join('');
    return new RegExp(`^${source}$`).test(key);
  });
}
