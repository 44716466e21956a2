/**
 * Identifies the program in every key of the cache. The bundle has a digest of its code and packages instead
 * (`scripts/bundle.ts`), so what other code made is made again.
 */
export const PROGRAM = 'unbundled';
