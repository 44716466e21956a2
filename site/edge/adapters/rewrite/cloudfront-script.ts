/** The CloudFront Function of a tree, and the key value store that it needs where its table is large. */
import type { Entries } from './entry.ts';
import type { HostFile } from './host-file.ts';
import { packTexts } from './packing.ts';

/** Most bytes of a function. */
export const FUNCTION_BYTES = 10_240;

/** Most bytes of a value in a key value store. */
const VALUE_BYTES = 1024;

/** The compiled scripts: cloudfront-table.ts and cloudfront-store.ts, each as `civic`, which has `answer`. */
export interface CloudFrontScripts {
  readonly table: string;
  readonly store: string;
}

/** `release`: of the tree, whose functions read no other release's entries. */
export function renderCloudFront(
  entries: Entries,
  release: string,
  scripts: CloudFrontScripts,
): readonly HostFile[] {
  const inline = renderInline(entries, scripts.table);
  if (Buffer.byteLength(inline) <= FUNCTION_BYTES) return [{ path: 'cloudfront-function.js', text: inline }];
  const values = entries.flatMap(([key, entry]) => splitEntry(`${release}/${key}`, entry));
  const data = [{ key: release, value: 'whole' }, ...values];
  return [
    { path: 'cloudfront-function.js', text: renderStore(scripts.store) },
    { path: 'keyvaluestore.json', text: `${JSON.stringify({ data }, null, 1)}\n` },
  ];
}

/** The table is one text, `|key:entry|folder:|`, packed; so is the key that is looked for. */
function renderInline(entries: Entries, script: string): string {
  const { texts, phrases } = packTexts(entries.flatMap(([key, entry]) => [key, entry === '-' ? '' : entry]));
  const table = entries.map((_, index) => `${texts[2 * index]}:${texts[2 * index + 1]}|`);
  const given = [`|${table.join('')}`, phrases.join('|')].map(text => JSON.stringify(text));
  return `${script.trim()}
function handler(event){return civic.answer(event.request,${given[0]},${given[1]}.split('|'))}
`;
}

/** The engine knows `await` in a statement of its own alone. */
function renderStore(script: string): string {
  return `import cf from 'cloudfront';
${script.trim()}
const store=cf.kvs();
async function handler(event){const answer=await civic.answer(event.request,store);return answer}
`;
}

/** A part that another follows ends in `|`. */
function splitEntry(key: string, entry: string): { key: string; value: string }[] {
  const room = VALUE_BYTES - 1;
  const count = Math.max(1, Math.ceil(entry.length / room));
  return Array.from({ length: count }, (_, index) => ({
    key: index === 0 ? key : `${key}#${index + 1}`,
    value: entry.slice(index * room, (index + 1) * room) + (index < count - 1 ? '|' : ''),
  }));
}
