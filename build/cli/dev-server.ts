/** The server of `civic dev`: passes requests on to the server of the tree, or shows people why there is none. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

export interface DevServer {
  readonly url: string;
  /** Serves the tree, which has been built. */
  readonly showTree: () => Promise<void>;
  /** Shows an error on every page until the next tree. The API still answers from the last one. */
  readonly showFailure: (lines: readonly string[]) => void;
}

/** Seconds after which a page with an error looks again. */
const LOOK_AGAIN = 2;

/** `startTree` starts the server of the tree on another port; it is called once, when there is a tree. */
export async function openDevServer(
  port: number,
  listen: string,
  startTree: () => Promise<{ readonly url: string }>,
): Promise<DevServer> {
  let tree: string | null = null;
  let failure: readonly string[] | null = ['The first build has not ended yet.'];
  const server = createServer((incoming, response) => {
    const isPage = /\btext\/html\b/.test(incoming.headers.accept ?? '');
    if (failure !== null && (isPage || tree === null)) return showPage(response, failure);
    if (tree !== null) passOn(tree, incoming, response);
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, listen, done);
  });
  const address = server.address();
  const shown = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${listen.includes(':') ? `[${listen}]` : listen}:${shown}`,
    showTree: async () => {
      tree ??= (await startTree()).url;
      failure = null;
    },
    showFailure: lines => {
      failure = lines;
    },
  };
}

function passOn(tree: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(tree);
  const { method, url: path, headers } = incoming;
  const outgoing = request({ hostname, port, method, path, headers }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

function showPage(response: ServerResponse, lines: readonly string[]): void {
  const items = lines.map(line => `<li><code>${escaped(line)}</code></li>`).join('\n');
  response.writeHead(500, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'no-store',
  });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${LOOK_AGAIN}">
<title>The build failed</title>
<h1>The build failed</h1>
<ul>
${items}
</ul>
<p>Mend it, and this page shows the new tree. The API answers from the last tree that was built.</p>
</html>
`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
