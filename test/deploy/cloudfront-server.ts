/** CloudFront can't run here. This answers the three calls that replace and publish a function. */
import { text } from 'node:stream/consumers';
import { answering } from '../served.ts';

/** `api`: AWS_ENDPOINT_URL_CLOUDFRONT for aws. `live`: the published code, and the ARNs of its key value stores. */
export async function startCloudfront(name: string, code: string, store: string) {
  let [version, stores, development, published] = [1, [store], code, code];
  const describe = () => {
    const items = stores.map(
      arn =>
        `<KeyValueStoreAssociation><KeyValueStoreARN>${arn}</KeyValueStoreARN></KeyValueStoreAssociation>`,
    );
    return `<?xml version="1.0"?><FunctionSummary xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Name>${name}</Name><Status>UNPUBLISHED</Status><FunctionConfig><Comment>kept</Comment><Runtime>cloudfront-js-2.0</Runtime><KeyValueStoreAssociations><Quantity>${stores.length}</Quantity><Items>${items.join('')}</Items></KeyValueStoreAssociations></FunctionConfig></FunctionSummary>`;
  };
  const api = await answering(async (request, response) => {
    const body = await text(request);
    const action = `${request.method} ${(request.url ?? '').split('?', 1)[0]?.replace(/^\/[\d-]+\/function\//, '')}`;
    const isRead = action === `GET ${name}/describe`;
    if (!isRead && request.headers['if-match'] !== `V${version}`) return response.writeHead(412).end();
    if (action === `PUT ${name}`) {
      const encoded = /<FunctionCode>([^<]*)<\/FunctionCode>/.exec(body)?.[1] ?? '';
      development = Buffer.from(encoded, 'base64').toString('utf8');
      // Like CloudFront: the function loses what isn't sent.
      stores = [...body.matchAll(/<KeyValueStoreARN>([^<]*)</g)].map(found => found[1] ?? '');
      version++;
    } else if (action === `POST ${name}/publish`) published = development;
    else if (!isRead) return response.writeHead(404).end();
    // aws reads the ETag of an update where the service misspells it.
    response.writeHead(200, { ETag: `V${version}`, ETtag: `V${version}`, 'Content-Type': 'text/xml' });
    response.end(describe());
  });
  return { api, live: () => [published, stores] as const };
}
