/** The bundler makes a file of its own of what is asked for so, and gives its address. */
declare module '*.json?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: the bundler's form
  export default address;
}
