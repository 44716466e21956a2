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
  function read(given: CloudFrontRequest): Asked {
    const pairs: string[] = [];
    Object.keys(given.querystring).forEach(name => {
      const field = given.querystring[name]!;
      (field.multiValue || [field]).forEach(one => {
        pairs.push(name + (one.value && '=' + one.value));
      });
    });
    return {
      method: given.method,
      url: given.uri,
      query: pairs.join('&'),
      html: /text\/html/i.test(given.headers.accept ? given.headers.accept.value : ''),
      origin: 'https://' + given.headers.host!.value,
    };
  }

  function respond(given: CloudFrontRequest, decision: Decision): CloudFrontRequest | CloudFrontResponse {
    if (decision.file !== undefined) {
      // A bucket has no folders: only the name tells one. No file but SHA256SUMS is without an extension.
      const folder = /(^|\/)[a-z0-9_=-]+$/.test(decision.file);
      if (folder) return respond(given, { status: 302, location: '/' + decision.file + '/' });
      // The bucket keeps releases side by side; whoever deploys one puts its name in place of the mark.
      given.uri = (decision.file.indexOf('releases/') === 0 ? '/' : '/releases/@RELEASE@/') + decision.file;
      given.querystring = {};
      return given;
    }
    const fields: CloudFrontResponse['headers'] = {
      'access-control-allow-origin': { value: '*' },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' },
    };
    const methods = { value: 'GET, HEAD, OPTIONS' };
    if (decision.location) fields.location = { value: decision.location };
    if (decision.status === 405) fields.allow = methods;
    if (decision.status === 204) {
      fields['access-control-allow-methods'] = methods;
      fields['access-control-allow-headers'] = { value: '*' };
      fields['access-control-max-age'] = { value: '86400' };
    }
    const answer: CloudFrontResponse = { statusCode: decision.status, headers: fields };
    if (decision.text) fields['content-type'] = { value: 'application/json' };
    if (decision.text && given.method !== 'HEAD') answer.body = decision.text;
    return answer;
  }

  return { read: read, respond: respond };
}
