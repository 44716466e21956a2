/** The bundler gives the address of a file that is bundled as it is. */
declare module '*.gz?url' {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler has it
  export default url;
}
