declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  interface Options {
    readonly directory: string;
    readonly silent?: boolean;
    readonly allowMismatchedSignatures?: boolean;
    readonly vhostBuckets?: boolean;
    readonly configureBuckets?: readonly { readonly name: string }[];
  }

  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default class S3rver {
    constructor(options: Options);
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
