/**
 * CloudFront cannot run here. This stands in for the three calls by which a function is replaced and published, and for
 * what a distribution then does: it runs the published function on each path, and asks the bucket for what comes out.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';

export interface CloudfrontServer {
  /** For aws: AWS_ENDPOINT_URL_CLOUDFRONT. */
  readonly api: string;
  /** For readers. */
  readonly url: string;
  /** As aws has it done, of a function that is there. */
  publish(code: string): void;
  /** ARNs of the key value stores that the function has. */
  stores(): readonly string[];
  close(): Promise<void>;
}

/** `origin`: address of the bucket. */
export async function startCloudfront(
  name: string,
  code: string,
  origin: string,
  stores: readonly string[] = [],
): Promise<CloudfrontServer> {
  let version = 1;
  let associated = stores;
  let development = code;
  let live = code;
  const associations = () =>
    `<KeyValueStoreAssociations><Quantity>${associated.length}</Quantity><Items>${associated.map(arn => `<KeyValueStoreAssociation><KeyValueStoreARN>${arn}</KeyValueStoreARN></KeyValueStoreAssociation>`).join('')}</Items></KeyValueStoreAssociations>`;
  const describe = (response: ServerResponse): void => {
    // Of the answer to an update, aws reads it where the service misspells it.
    response.writeHead(200, { ETag: `V${version}`, ETtag: `V${version}`, 'Content-Type': 'text/xml' });
    response.end(
      `<?xml version="1.0"?><FunctionSummary xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Name>${name}</Name><Status>UNPUBLISHED</Status><FunctionConfig><Comment>kept</Comment><Runtime>cloudfront-js-2.0</Runtime>${associations()}</FunctionConfig></FunctionSummary>`,
    );
  };
  const api = createServer(async (request, response) => {
    const body = await readBody(request);
    const action = `${request.method} ${(request.url ?? '').split('?', 1)[0]?.replace(/^\/[\d-]+\/function\//, '')}`;
    if (action === `GET ${name}/describe`) return describe(response);
    if (request.headers['if-match'] !== `V${version}`) return response.writeHead(412).end();
    if (action === `PUT ${name}`) {
      const encoded = /<FunctionCode>([^<]*)<\/FunctionCode>/.exec(body)?.[1] ?? '';
      development = Buffer.from(encoded, 'base64').toString('utf8');
      // As CloudFront does: what is not sent, the function has no more.
      associated = [...body.matchAll(/<KeyValueStoreARN>([^<]*)</g)].map(found => found[1] ?? '');
      version++;
      return describe(response);
    }
    if (action !== `POST ${name}/publish`) return response.writeHead(404).end();
    live = development;
    return describe(response);
  });
  const viewers = createServer(async (request, response) => {
    const event = { request: { uri: request.url, querystring: {}, headers: {} } };
    const { uri } = runInNewContext(`${live}; handler(event)`, { event }) as { uri: string };
    const found = await fetch(origin + uri);
    response.writeHead(found.status, { ETag: found.headers.get('etag') ?? '' });
    response.end(Buffer.from(await found.arrayBuffer()));
  });
  const servers = [api, viewers];
  for (const server of servers) await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const [ofApi, ofViewers] = servers.map(one => `http://127.0.0.1:${(one.address() as AddressInfo).port}`);
  return {
    api: ofApi ?? '',
    url: ofViewers ?? '',
    stores: () => associated,
    publish: code => {
      live = code;
      version++;
    },
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise(done => server.close(done));
      }
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
