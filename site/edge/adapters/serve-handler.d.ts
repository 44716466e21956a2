declare module 'serve-handler' {
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

  /** Sends one file, or the byte range of it that the request names. */
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default function serve(
    request: IncomingMessage,
    response: ServerResponse,
    config: Config,
  ): Promise<void>;
}
