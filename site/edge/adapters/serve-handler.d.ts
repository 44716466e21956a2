declare module 'serve-handler' {
  import type { ReadStream, Stats } from 'node:fs';
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Config {
    readonly public: string;
    readonly cleanUrls?: boolean;
    readonly directoryListing?: boolean;
    readonly symlinks?: boolean;
    readonly etag?: boolean;
    readonly headers?: readonly {
      readonly source: string;
      readonly headers: readonly { readonly key: string; readonly value: string | null }[];
    }[];
  }

  /** In place of those of Node. */
  interface Methods {
    readonly lstat?: (path: string) => Promise<Stats>;
    readonly createReadStream?: (path: string, range: { start?: number; end?: number }) => ReadStream;
  }

  /** Sends one file, or the byte range of it that the request names. */
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default function serve(
    request: IncomingMessage,
    response: ServerResponse,
    config: Config,
    methods?: Methods,
  ): Promise<void>;
}
