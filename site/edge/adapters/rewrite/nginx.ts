/**
 * The rules in nginx, through its JavaScript module (njs). The script names the file, and nginx sends it,
 * with ranges and conditions. The script is the same for every tree, and reads the tree's table. Uses only
 * the syntax that rules.ts allows.
 */
import type { ROOT } from '../../../../build/format/paths.ts';
import { ACCEPTS_HTML, PREFLIGHT } from '../../respond/headers.ts';
import { type Asked, type Decision, decide, locate, NOTHING } from './rules.ts';

/** render.ts imports this njs module, which has these functions of Node. */
declare const fs: Pick<typeof import('node:fs'), 'accessSync' | 'readFileSync' | 'realpathSync'>;

interface NginxRequest {
  readonly method: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly headersIn: Readonly<Record<string, string | undefined>>;
  readonly headersOut: Record<string, string>;
  /** The text is the address of a redirect, otherwise the body. */
  return(status: number, text?: string): void;
}

/** Importing ROOT would put all its names into the script. */
const TABLE: typeof ROOT.rewriting = 'rewriting.txt';
const MANIFEST: typeof ROOT.manifest = 'manifest.json';

/** A path that no file has. */
const NO_FILE = '/?';

const UNPREPARED: Decision = {
  status: 503,
  text:
    JSON.stringify({
      detail: 'This tree lacks ' + TABLE + ', from which nginx answers. Build it with --host nginx.',
    }) + '\n',
};

/** The beginning of a release's own address; empty if the request is for the release online. */
function readRoot(r: NginxRequest): string {
  const found = /^\/releases\/\d{4}-\d\d-\d\d-[\da-f]{8}(?=[/?#]|$)/.exec(r.variables.request_uri!);
  return found ? found[0]! : '';
}

/**
 * For js_set: the folder of the release that answers. Follows the link `current` once per request, so that
 * the table and the file are of the same release even if the link is switched meanwhile.
 */
export function tree(r: NginxRequest): string {
  const store = r.variables.civic_store!;
  const root = readRoot(r);
  if (root) return store + root;
  try {
    return fs.realpathSync(store + '/current');
  } catch (_) {
    return store + '/current';
  }
}

function readAsked(r: NginxRequest): Asked {
  const target = r.variables.request_uri!.split('#')[0]!;
  const end = (target + '?').indexOf('?');
  const root = readRoot(r);
  return {
    method: r.method,
    url: target.slice(root.length, end),
    query: target.slice(end + 1),
    html: ACCEPTS_HTML.test(r.headersIn.Accept || ''),
    root,
    origin: r.variables.scheme + '://' + (r.headersIn.Host || 'localhost'),
  };
}

function decideRequest(r: NginxRequest, asked: Asked): Decision {
  const place = locate(asked);
  const folder = r.variables.civic_tree!;
  // A release's address without its final slash.
  if (place.at === NOTHING && asked.url === '' && isThere(folder)) return { status: 301, location: '/' };
  if (place.at) return place.at;
  let table: string;
  try {
    table = fs.readFileSync(folder + '/' + TABLE, 'utf8');
  } catch (_) {
    return isThere(folder + '/' + MANIFEST) ? UNPREPARED : NOTHING;
  }
  const line = '\n' + place.key + ' ';
  const start = table.indexOf(line) + line.length;
  return decide(asked, place, start < line.length ? '' : table.slice(start, table.indexOf('\n', start)));
}

function isThere(path: string): boolean {
  try {
    fs.accessSync(path);
    return true;
  } catch (_) {
    return false;
  }
}

/** For js_set: the file's path in the tree's folder, with its slash. */
export function file(r: NginxRequest): string {
  const decision = decideRequest(r, readAsked(r));
  return decision.file === undefined ? NO_FILE : '/' + decision.file;
}

/** For js_content, if that file is missing: the answer without a file. */
export function refuse(r: NginxRequest): void {
  const asked = readAsked(r);
  let decision = decideRequest(r, asked);
  if (decision.file !== undefined) {
    const folder = '/' + decision.file + '/';
    // nginx answers for a missing file that no table lists.
    if (!isThere(r.variables.civic_tree + folder + 'index.html')) return r.return(404);
    decision = { status: 301, location: folder + (asked.query && '?' + asked.query) };
  }
  if (decision.location) return r.return(decision.status, asked.root + decision.location);
  // People get nginx's page; programs get the text.
  if (decision.status === 404 && asked.html) return r.return(404);
  if (decision.status === 204)
    Object.keys(PREFLIGHT).forEach(name => {
      r.headersOut[name] = PREFLIGHT[name]!;
    });
  if (decision.text) r.headersOut['Content-Type'] = 'application/json';
  r.return(decision.status, decision.text || '');
}

/** For js_set: whether Range is invalid, and therefore ignored; nginx would answer 416. */
export function whole(r: NginxRequest): string {
  const given = /^bytes=(.*)$/i.exec(r.headersIn.Range || '');
  const understood =
    !given ||
    given[1]!.split(',').every(part => {
      const ends = /^ *(\d*) *- *(\d*) *$/.exec(part);
      return ends !== null && (ends[1] ? !ends[2] || +ends[1] <= +ends[2] : !!ends[2]);
    });
  return understood ? '' : 'whole';
}

/** For js_header_filter of a 416: nginx has already added the file's headers. */
export function forget(r: NginxRequest): void {
  r.headersOut['Cache-Control'] = 'no-store';
}
