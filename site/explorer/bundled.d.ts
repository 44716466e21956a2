/** Modules that the bundler makes of other files than scripts. */

/** The bundler writes these into files of their own. */
declare module '*.css';

declare module '*.svg?no-inline' {
  export const url: string;
}

/** Copied unchanged; the import is its URL. */
declare module '*.gz?url' {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler has it
  export default url;
}
