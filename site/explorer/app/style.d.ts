/** The bundler takes styles out of the scripts that ask for them. */
declare module '*.css';

declare module '*.svg?no-inline' {
  export const url: string;
}
