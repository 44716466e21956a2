/** The bundler moves imported styles out of the scripts. */
declare module '*.css';

declare module '*.svg?no-inline' {
  export const url: string;
}
