/** The CloudFront Function that holds its table: what an entry point of the bundler is. */
import {
  type CloudFrontRequest,
  type CloudFrontResponse,
  findKey,
  readAsked,
  respond,
} from './cloudfront.ts';
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

/** Capital letters are of phrases alone: a key that has one is nobody's. */
function findEntry(key: string, table: string, phrases: readonly string[]): string {
  let name = /[A-Z]/.test(key) ? '' : key;
  phrases.forEach((phrase, i) => {
    name = name.split(phrase).join(letterOf(i));
  });
  const start = table.indexOf('|' + name + ':') + name.length + 2;
  if (start < name.length + 2) return '';
  let entry = table.slice(start, table.indexOf('|', start));
  for (let i = phrases.length - 1; i >= 0; i--) entry = entry.split(letterOf(i)).join(phrases[i]);
  return entry;
}

function letterOf(index: number): string {
  return String.fromCharCode(65 + index);
}
