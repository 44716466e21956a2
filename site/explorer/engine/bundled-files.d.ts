/** The bundler gives the address of a file that is bundled as it is. */
declare module '*?url' {
  const url: string;
  export default url;
}
