/** The CloudFront Function of a tree, and the key value store that it needs where its table is large. */
import { createCloudFront } from './cloudfront.ts';
import { compactScript } from './compaction.ts';
import type { Entries } from './entry.ts';
import type { HostFile } from './host-file.ts';
import { packTexts } from './packing.ts';
import { createRules } from './rules.ts';

/** Most bytes of a function. */
export const FUNCTION_BYTES = 10_240;

/** Most bytes of a value in a key value store. */
const VALUE_BYTES = 1024;

/** All that the language, CloudFront and our answers name: it is not shortened. */
const KEPT = new Set(
  `async await catch const else false for function if in let new null return true try typeof undefined
   Infinity JSON Math Number Object String concat decodeURIComponent every exec filter forEach fromCharCode
   indexOf isSafeInteger join keys length map max min parseInt push replace slice some split stringify test throw
   accept allow body cf exists get handler headers host kvs location method multiValue querystring request statusCode
   uri value
   ctx detail expected files filters ge input le limit loc manifest msg offset path residual sql type`.split(
    /\s+/,
  ),
);

export function renderCloudFront(entries: Entries): readonly HostFile[] {
  const inline = compact(renderInline(entries));
  if (inline.length <= FUNCTION_BYTES) return [{ path: 'cloudfront-function.js', text: inline }];
  const values = entries.flatMap(([key, entry]) => splitEntry(key, entry));
  return [
    { path: 'cloudfront-function.js', text: `import cf from 'cloudfront';\n${compact(STORE)}` },
    { path: 'keyvaluestore.json', text: `${JSON.stringify({ data: values }, null, 1)}\n` },
  ];
}

/** All of it is ASCII: a character is a byte. */
function compact(script: string): string {
  return `${compactScript(script, KEPT)}\n`;
}

const SCRIPT = `
const rules = (${createRules})();
const host = (${createCloudFront})();
`;

/**
 * The table as one text, `|key:entry|key:entry|`, packed; so is the key that is looked for. Capital letters are of
 * phrases alone: a key that has one is nobody's.
 */
function renderInline(entries: Entries): string {
  const { texts, phrases } = packTexts(entries.flat());
  const table = entries.map((_, index) => `${texts[2 * index]}:${texts[2 * index + 1]}|`);
  return `
const TABLE = '|${table.join('')}';
const PHRASES = ${phrases.length === 0 ? '[]' : `'${phrases.join('|')}'.split('|')`};
${SCRIPT}
function handler(event) {
  const asked = host.read(event.request);
  const place = rules.locate(asked);
  return host.respond(event.request, rules.decide(asked, place, place.key ? findEntry(place.key) : ''));
}
function findEntry(key) {
  let name = /[A-Z]/.test(key) ? '' : key;
  PHRASES.forEach((phrase, i) => { name = name.split(phrase).join(String.fromCharCode(65 + i)); });
  const start = TABLE.indexOf('|' + name + ':') + name.length + 2;
  if (start < name.length + 2) return '';
  let entry = TABLE.slice(start, TABLE.indexOf('|', start));
  for (let i = PHRASES.length - 1; i >= 0; i--)
    entry = entry.split(String.fromCharCode(65 + i)).join(PHRASES[i]);
  return entry;
}
`;
}

/**
 * Parts of an entry end in `|` where another follows, under the key with `#2`, `#3`, and so on. The engine knows
 * `await` in a statement of its own alone.
 */
const STORE = `
const store = cf.kvs();
${SCRIPT}
async function handler(event) {
  const asked = host.read(event.request);
  const place = rules.locate(asked);
  let entry = '';
  if (place.key) entry = await findEntry(place.key, 1);
  return host.respond(event.request, rules.decide(asked, place, entry));
}
async function findEntry(key, part) {
  const name = part > 1 ? key + '#' + part : key;
  let text;
  try {
    text = await store.get(name);
  } catch (error) {
    const held = await store.exists(name);
    if (held) throw error;
    return '';
  }
  if (text.slice(-1) !== '|') return text;
  const rest = await findEntry(key, part + 1);
  return text.slice(0, -1) + rest;
}
`;

function splitEntry(key: string, entry: string): { key: string; value: string }[] {
  const room = VALUE_BYTES - 1;
  const count = Math.max(1, Math.ceil(entry.length / room));
  return Array.from({ length: count }, (_, index) => ({
    key: index === 0 ? key : `${key}#${index + 1}`,
    value: entry.slice(index * room, (index + 1) * room) + (index < count - 1 ? '|' : ''),
  }));
}
