/** A JSON value. A member without a value is left out of the text. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;

export type Fields = { readonly [name: string]: Json | undefined };
