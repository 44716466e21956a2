/** What the bundler makes of an import that is no script. */

/** Moved out of the scripts. */
declare module '*.css';

declare module '*.svg?no-inline' {
  export const url: string;
}

/** Copied unchanged; the import is its address. */
declare module '*.gz?url' {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler has it
  export default url;
}
