/** The CloudFront Function that holds its table: what an entry point of the bundler is. */
import {
  type CloudFrontRequest,
  type CloudFrontResponse,
  findKey,
  readAsked,
  respond,
} from './cloudfront.ts';
import { LETTERS } from './packing.ts';
import { locate } from './rules.ts';

/** `table` and `phrases` are those of cloudfront-script.ts. */
export function answer(
  request: CloudFrontRequest,
  table: string,
  phrases: readonly string[],
): CloudFrontRequest | CloudFrontResponse {
  const asked = readAsked(request);
  const place = locate(asked);
  return respond(request, asked, place, findEntry(findKey(place), table, phrases));
}

/**
 * Letters are of phrases alone, and of the marks among them a path can have `@`: a key that has one is nobody's. A folder
 * has no entry.
 */
function findEntry(key: string, table: string, phrases: readonly string[]): string {
  let name = /[A-Z@]/.test(key) ? '' : key;
  phrases.forEach((phrase, i) => {
    name = name.split(phrase).join(LETTERS[i]!);
  });
  const start = table.indexOf('|' + name + ':') + name.length + 2;
  if (start < name.length + 2) return '';
  let entry = table.slice(start, table.indexOf('|', start)) || '-';
  for (let i = phrases.length - 1; i >= 0; i--) entry = entry.split(LETTERS[i]!).join(phrases[i]);
  return entry;
}
