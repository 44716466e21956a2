/**
 * The rules as a CloudFront Function for viewer requests (JavaScript runtime 2.0). Like rules.ts, `createCloudFront` is
 * published as its own text and keeps to that language.
 */
import type { Asked, Decision } from './decision.ts';

export interface CloudFrontRequest {
  readonly method: string;
  uri: string;
  /** Names and values percent-encoded as they were given; of a repeated one all, in `multiValue`. */
  querystring: Record<string, CloudFrontField>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, CloudFrontField>>;
}

export interface CloudFrontField {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[];
}

export interface CloudFrontResponse {
  readonly statusCode: number;
  readonly headers: Record<string, { value: string }>;
  body?: string;
}

export interface CloudFront {
  read(request: CloudFrontRequest): Asked;
  /** The request for the file that is the answer, without its query, which no cache need tell apart; or an answer. */
  respond(request: CloudFrontRequest, decision: Decision): CloudFrontRequest | CloudFrontResponse;
}

export function createCloudFront(): CloudFront {
  function read(request: CloudFrontRequest): Asked {
    const query: string[] = [];
    Object.keys(request.querystring).forEach(name => {
      const field = request.querystring[name]!;
      (field.multiValue || [field]).forEach(one => query.push(name + '=' + one.value));
    });
    return {
      method: request.method,
      url: request.uri,
      query: query.join('&'),
      html: (request.headers.accept ? request.headers.accept.value : '').indexOf('text/html') >= 0,
      origin: 'https://' + request.headers.host!.value,
    };
  }

  function respond(request: CloudFrontRequest, decision: Decision): CloudFrontRequest | CloudFrontResponse {
    if (decision.file !== undefined) {
      // A bucket has no folders: only the name tells one. No file but SHA256SUMS is without an extension.
      const folder = /(^|\/)[a-z0-9_=-]+$/.test(decision.file);
      if (folder) return respond(request, { status: 302, location: '/' + decision.file + '/' });
      request.uri = '/' + decision.file;
      request.querystring = {};
      return request;
    }
    const headers: CloudFrontResponse['headers'] = {
      'access-control-allow-origin': { value: '*' },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' },
    };
    const methods = { value: 'GET, HEAD, OPTIONS' };
    if (decision.location) headers.location = { value: decision.location };
    if (decision.status === 405) headers.allow = methods;
    if (decision.status === 204) {
      headers['access-control-allow-methods'] = methods;
      headers['access-control-allow-headers'] = { value: '*' };
      headers['access-control-max-age'] = { value: '86400' };
    }
    const response: CloudFrontResponse = { statusCode: decision.status, headers: headers };
    if (decision.body) headers['content-type'] = { value: 'application/json' };
    if (decision.body && request.method !== 'HEAD') response.body = decision.body;
    return response;
  }

  return { read: read, respond: respond };
}
