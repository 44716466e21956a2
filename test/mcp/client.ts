/** The protocol's own client, connected until the test or its file ends. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { atEnd } from '../at-end.ts';
import { PROGRAM } from '../cli/program.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of all tools
type Said = any;

export interface Asked {
  /** Of an error, its text. */
  readonly said: Said;
  readonly isError: boolean;
}

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name: 'test', version: '1' });
  // The package's own types disagree about undefined properties.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  atEnd(() => client.close());
  return {
    client,
    async ask(name: string, request: object): Promise<Asked> {
      const answer = await client.callTool({ name, arguments: { ...request } });
      const [{ text }] = answer.content as [{ text: string }];
      return answer.isError ? { said: text, isError: true } : { said: JSON.parse(text), isError: false };
    },
  };
}

export type ToolClient = Awaited<ReturnType<typeof connect>>;

export function overStdio(tree: string): Promise<ToolClient> {
  return connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp', tree] }));
}

/** `ask`: in place of the network. */
export function overHttp(host: string, ask: typeof fetch = fetch): Promise<ToolClient> {
  return connect(new StreamableHTTPClientTransport(new URL(`${host}/mcp`), { fetch: ask }));
}
