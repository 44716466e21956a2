/**
 * CloudFront can't run here. This answers the three calls that replace and publish a function, and then acts
 * as a distribution: it runs the published function on each path, and asks the bucket for the result.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import type { Get } from './reader.ts';

export interface CloudfrontServer {
  /** AWS_ENDPOINT_URL_CLOUDFRONT for aws. */
  readonly api: string;
  readonly get: Get;
  /** Publishes code directly, as aws does. */
  publish(code: string): void;
  /** ARNs of the function's key value stores. */
  stores(): readonly string[];
  close(): void;
}

/** `origin`: the bucket. */
export async function startCloudfront(
  name: string,
  code: string,
  origin: Get,
  stores: readonly string[],
): Promise<CloudfrontServer> {
  let [version, associated, development, live] = [1, stores, code, code];
  const describe = (response: ServerResponse): void => {
    const items = associated.map(
      arn =>
        `<KeyValueStoreAssociation><KeyValueStoreARN>${arn}</KeyValueStoreARN></KeyValueStoreAssociation>`,
    );
    // aws reads the ETag of an update where the service misspells it.
    response.writeHead(200, { ETag: `V${version}`, ETtag: `V${version}`, 'Content-Type': 'text/xml' });
    response.end(
      `<?xml version="1.0"?><FunctionSummary xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Name>${name}</Name><Status>UNPUBLISHED</Status><FunctionConfig><Comment>kept</Comment><Runtime>cloudfront-js-2.0</Runtime><KeyValueStoreAssociations><Quantity>${associated.length}</Quantity><Items>${items.join('')}</Items></KeyValueStoreAssociations></FunctionConfig></FunctionSummary>`,
    );
  };
  const api = createServer(async (request, response) => {
    const body = await text(request);
    const action = `${request.method} ${(request.url ?? '').split('?', 1)[0]?.replace(/^\/[\d-]+\/function\//, '')}`;
    if (action === `GET ${name}/describe`) return describe(response);
    if (request.headers['if-match'] !== `V${version}`) return response.writeHead(412).end();
    if (action === `PUT ${name}`) {
      const encoded = /<FunctionCode>([^<]*)<\/FunctionCode>/.exec(body)?.[1] ?? '';
      development = Buffer.from(encoded, 'base64').toString('utf8');
      // Like CloudFront: the function loses what isn't sent.
      associated = [...body.matchAll(/<KeyValueStoreARN>([^<]*)</g)].map(found => found[1] ?? '');
      version++;
    } else if (action === `POST ${name}/publish`) live = development;
    else return response.writeHead(404).end();
    describe(response);
  });
  await new Promise<void>(done => api.listen(0, '127.0.0.1', done));
  return {
    api: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    get: async uri => {
      const event = { request: { uri, querystring: {}, headers: {} } };
      return origin((runInNewContext(`${live}; handler(event)`, { event }) as { uri: string }).uri);
    },
    stores: () => associated,
    publish: published => {
      live = published;
      version++;
    },
    close: () => {
      api.close();
      api.closeAllConnections();
    },
  };
}
