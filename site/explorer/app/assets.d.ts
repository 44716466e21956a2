/** The bundler writes such an import as a separate file, and returns its address. */
declare module '*.json?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: the bundler's form
  export default address;
}
