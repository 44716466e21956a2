/** What programs that embed the edge give and get. The types need neither Node's nor another package's. */

export interface TreeOptions {
  /** A published tree, a link to one, or a folder of releases. */
  readonly folder: string;
  /** Bytes for decoded columns; by default a quarter of the machine's memory, at most 512 MB. */
  readonly memory?: number;
  /** Gets what went wrong while an answer was made. The reader gets a 5xx. */
  readonly onError?: (error: unknown) => void;
}

export interface ListenerOptions extends TreeOptions {
  /** Whether readers who accept it get texts compressed. */
  readonly compress?: boolean;
}

export interface ListenOptions {
  /** 0: any free port. */
  readonly port: number;
  /** An address of this machine; by default only the machine itself reaches it. */
  readonly listen?: string;
}

export interface ServerOptions extends ListenerOptions, ListenOptions {
  /** Whether a proxy names each client at the end of X-Forwarded-For. */
  readonly trustProxy?: boolean;
}

export interface RunningServer {
  /** With the port that was given, without a final slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** What Node's `createServer` of `node:http` takes: its IncomingMessage and ServerResponse. */
export type Listener = (
  request: { readonly method?: string | undefined; readonly url?: string | undefined },
  response: { writeHead(status: number): unknown; end(): unknown },
) => void;

/** What servers with the fetch standard's classes take, such as Bun, Deno and Hono. */
export type FetchHandler = (request: Request) => Promise<Response>;
