/** What a page tells its service worker. */

/** The page's message to its service worker: what it loaded before the worker was there. */
export interface KeepMessage {
  readonly kind: 'keep';
  readonly page: string;
  readonly files: readonly string[];
}
