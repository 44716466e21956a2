/** Whether parts are all parts of one build, and each once. Pure. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { digestOf } from '../memory/build-state.ts';
import type { PartInputs, PartRecord } from './shard-record.ts';

export interface NamedPart {
  readonly folder: string;
  readonly record: PartRecord;
}

const INPUTS = {
  program: 'another version of civic',
  contracts: 'other contracts',
  lake: 'another lake (names and sizes of its files)',
  ignored: 'another lake (what of it is not read)',
  sample: 'another lake (its _sample.json)',
  only: 'another --only',
  strict: 'another --strict',
  date: 'another release date; give every part the same --release-date',
  host: 'another --host',
  leftOut: 'another estimate of what the host has room for',
} as const satisfies Record<keyof PartInputs, string>;

/** Everything that keeps parts from being one build. */
export function comparePartRecords(parts: readonly NamedPart[]): Diagnostic[] {
  const [first] = parts;
  if (first === undefined) return [];
  return [...differences(first, parts), ...count(first, parts), ...readings(parts)];
}

function differences(first: NamedPart, parts: readonly NamedPart[]): Diagnostic[] {
  const names = Object.keys(INPUTS) as (keyof PartInputs)[];
  return parts.flatMap(({ folder, record }) => {
    const different = names.filter(
      name => digestOf(record.inputs[name] ?? null) !== digestOf(first.record.inputs[name] ?? null),
    );
    const what: string[] = different.map(name => INPUTS[name]);
    if (record.of !== first.record.of)
      what.unshift(`${record.of} parts, and that one is of ${first.record.of}`);
    return what.length === 0
      ? []
      : [
          problem(
            'part-differs',
            folder,
            `This part and ${first.folder} are not of one build: it was made from ${what.join('; ')}. Build them from the same.`,
          ),
        ];
  });
}

function count(first: NamedPart, parts: readonly NamedPart[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const folders = new Map<number, string>();
  for (const { folder, record } of parts) {
    const other = folders.get(record.number);
    if (other === undefined) folders.set(record.number, folder);
    else
      found.push(
        problem(
          'part-twice',
          folder,
          `Part ${record.number} of ${record.of} is in ${other} too. Name each once.`,
        ),
      );
  }
  const { of } = first.record;
  const lacking = Array.from({ length: of }, (_, i) => i + 1).filter(number => !folders.has(number));
  if (lacking.length > 0) {
    found.push(
      problem(
        'part-missing',
        first.folder,
        `This is a part of ${of}, and ${lacking.length === 1 ? 'part' : 'parts'} ${lacking.join(', ')} ${lacking.length === 1 ? 'is' : 'are'} not here. Name the folders of all ${of}.`,
      ),
    );
  }
  return found;
}

/** Files of the same name and size may still differ: what two parts read must have been the same bytes. */
function readings(parts: readonly NamedPart[]): Diagnostic[] {
  const known = new Map<string, { sha256: string; folder: string }>();
  const found = new Map<string, string[]>();
  for (const { folder, record } of parts) {
    for (const [file, sha256] of Object.entries(record.read)) {
      const other = known.get(file);
      if (other === undefined) known.set(file, { sha256, folder });
      else if (other.sha256 !== sha256) {
        const pair = `${folder}\n${other.folder}`;
        found.set(pair, [...(found.get(pair) ?? []), file]);
      }
    }
  }
  return [...found].map(([pair, files]) => {
    const [folder = '', other = ''] = pair.split('\n');
    const more = files.length > 3 ? `, and ${files.length - 3} more` : '';
    return problem(
      'part-differs',
      folder,
      `This part and ${other} read different rows in ${files.slice(0, 3).join(', ')}${more}. Build both from the same lake.`,
    );
  });
}

function problem(code: string, file: string, message: string): Diagnostic {
  return { severity: 'error', code, file, message };
}
