/** Where a release goes, as the command line names it. */

export type Destination =
  /** `s3://bucket/prefix/` */
  | { readonly kind: 'bucket'; readonly bucket: string; readonly prefix: string }
  /** `user@host:/folder`, or a folder of this machine. */
  | { readonly kind: 'server'; readonly login: string | null; readonly folder: string };

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/;
const REMOTE = /^([A-Za-z0-9_][A-Za-z0-9._@-]*):(.+)$/;

/** Characters that every shell takes literally, since the text is part of commands on another machine. */
const PLAIN = /^[A-Za-z0-9._/@+=~-]+$/;

/** Returns null if the text is no destination. */
export function parseDestination(text: string): Destination | null {
  const object = BUCKET.exec(text);
  if (object) {
    const prefix = (object[2] ?? '').replace(/\/+$/, '');
    if (prefix !== '' && (!PLAIN.test(prefix) || !isFolder(prefix))) return null;
    return { kind: 'bucket', bucket: object[1] ?? '', prefix: prefix === '' ? '' : `${prefix}/` };
  }
  if (/^[a-z0-9]+:\/\//i.test(text)) return null;
  const remote = REMOTE.exec(text);
  const folder = (remote?.[2] ?? text).replace(/(?<=.)\/+$/, '');
  if (!PLAIN.test(folder) || folder.startsWith('-')) return null;
  return { kind: 'server', login: remote?.[1] ?? null, folder };
}

/** A bucket takes empty, `.` and `..` segments for names. */
function isFolder(prefix: string): boolean {
  return prefix.split('/').every(part => !['', '.', '..'].includes(part));
}
