/**
 * The rules in nginx, by its module for JavaScript (njs): the script names the file, and nginx itself sends it, with
 * ranges and conditions. Like rules.ts, `createNginx` is published as its own text and keeps to that language.
 */
import type { Asked, Decision, Rules } from './decision.ts';

export interface NginxRequest {
  readonly method: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly headersIn: Readonly<Record<string, string | undefined>>;
  readonly headersOut: Record<string, string>;
  /** The text is a redirect's address, else the body. */
  return(status: number, text?: string): void;
}

export interface Nginx {
  /** For js_set: the file's path with its slash; `/?`, which no file is named, where there is none. */
  file(r: NginxRequest): string;
  /** For js_content, where that file is not: the answer without a file. */
  refuse(r: NginxRequest): void;
}

/** `preflight`: headers of the answer to OPTIONS. */
export function createNginx(
  rules: Rules,
  table: Readonly<Record<string, string>>,
  preflight: Readonly<Record<string, string>>,
): Nginx {
  function decide(r: NginxRequest): Decision {
    const target = r.variables.request_uri!.split('#')[0]!;
    const end = (target + '?').indexOf('?');
    const asked: Asked = {
      method: r.method,
      url: target.slice(0, end),
      query: target.slice(end + 1),
      html: /text\/html/i.test(r.headersIn.Accept || ''),
      origin: r.variables.scheme + '://' + (r.headersIn.Host || 'localhost'),
    };
    const place = rules.locate(asked);
    return rules.decide(asked, place, (place.key && table[place.key]) || '');
  }

  function file(r: NginxRequest): string {
    const decision = decide(r);
    return decision.file === undefined ? '/?' : '/' + decision.file;
  }

  function refuse(r: NginxRequest): void {
    const decision = decide(r);
    // A file that is not there, and that no table lists, is nginx's to say.
    if (decision.file !== undefined) return r.return(404);
    if (decision.location) return r.return(decision.status, decision.location);
    if (decision.status === 405) r.headersOut.Allow = preflight.Allow!;
    if (decision.status === 204)
      Object.keys(preflight).forEach(name => {
        r.headersOut[name] = preflight[name]!;
      });
    if (decision.text) r.headersOut['Content-Type'] = 'application/json';
    r.return(decision.status, decision.text || '');
  }

  return { file: file, refuse: refuse };
}
