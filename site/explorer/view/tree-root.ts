/** The tree's root, which every page names. A build has none. */
export const root = new URL(
  globalThis.document?.documentElement.dataset['root'] ?? './',
  globalThis.location?.href ?? 'https://tree.invalid/',
);
