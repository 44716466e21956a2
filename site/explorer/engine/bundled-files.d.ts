/** The bundler copies such a file unchanged, and returns its address. */
declare module '*.gz?url' {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: so the bundler has it
  export default url;
}
