declare module 'serve-handler' {
  import type { ReadStream } from 'node:fs';
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Config {
    readonly public: string;
    /** Names for which a folder gives its index.html. */
    readonly cleanUrls?: boolean | readonly string[];
    readonly directoryListing?: boolean;
    readonly headers?: readonly {
      readonly source: string;
      readonly headers: readonly { readonly key: string; readonly value: string }[];
    }[];
  }

  /** Both bounds are inclusive; neither where the whole file is sent. */
  export interface ByteBounds {
    readonly start?: number;
    readonly end?: number;
  }

  interface Methods {
    /** Answers where there is no file. */
    readonly sendError?: () => Promise<void>;
    readonly createReadStream?: (file: string, range: ByteBounds) => ReadStream;
  }

  /** Sends the file that the request names, or the byte range of it that the request asks for. */
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default function serve(
    request: IncomingMessage,
    response: ServerResponse,
    config: Config,
    methods?: Methods,
  ): Promise<void>;
}
