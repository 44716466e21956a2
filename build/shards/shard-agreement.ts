/** Checks that shards are all shards of one build, each once. Pure. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { digestOf } from '../memory/build-state.ts';
import type { ShardInputs, ShardRecord } from './shard-record.ts';

export interface NamedShard {
  readonly folder: string;
  readonly record: ShardRecord;
}

const INPUTS = {
  program: 'another version of civic',
  contracts: 'other contracts',
  lake: 'another lake (names and sizes of its files)',
  tables: 'another lake (the rows of its tables)',
  ignored: 'another lake (the files that it ignores)',
  sample: 'another lake (its _sample.json)',
  only: 'another --only',
  strict: 'another --strict',
  date: 'another release date (give every shard the same --release-date)',
  host: 'another --host',
} as const satisfies Record<keyof ShardInputs, string>;

/** One diagnostic for each difference, repeated shard and missing shard. */
export function compareShardRecords(shards: readonly NamedShard[]): Diagnostic[] {
  const [first] = shards;
  if (first === undefined) return [];
  return [...differences(first, shards), ...count(first, shards), ...readings(shards)];
}

function differences(first: NamedShard, shards: readonly NamedShard[]): Diagnostic[] {
  const names = Object.keys(INPUTS) as (keyof ShardInputs)[];
  return shards.flatMap(({ folder, record }) => {
    const different = names.filter(
      name => digestOf(record.inputs[name] ?? null) !== digestOf(first.record.inputs[name] ?? null),
    );
    const what: string[] = different.map(name => INPUTS[name]);
    if (record.of !== first.record.of)
      what.unshift(`another number of shards (${record.of}, not ${first.record.of})`);
    return what.length === 0
      ? []
      : [
          problem(
            'shard-differs',
            folder,
            `This shard is not of the same build as ${first.folder}. It has ${what.join('; ')}. Build all shards from the same.`,
          ),
        ];
  });
}

function count(first: NamedShard, shards: readonly NamedShard[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const folders = new Map<number, string>();
  for (const { folder, record } of shards) {
    const other = folders.get(record.number);
    if (other === undefined) folders.set(record.number, folder);
    else
      found.push(
        problem(
          'shard-twice',
          folder,
          `Shard ${record.number} of ${record.of} is in ${other} too. Name each shard once.`,
        ),
      );
  }
  const { of } = first.record;
  const lacking = Array.from({ length: of }, (_, i) => i + 1).filter(number => !folders.has(number));
  if (lacking.length > 0) {
    found.push(
      problem(
        'shard-missing',
        first.folder,
        `The build has ${of} shards, and ${lacking.length === 1 ? 'shard' : 'shards'} ${lacking.join(', ')} ${lacking.length === 1 ? 'is' : 'are'} missing. Name the folders of all ${of}.`,
      ),
    );
  }
  return found;
}

/** Compares the hashes of files that two shards read: files of the same name and size may still differ. */
function readings(shards: readonly NamedShard[]): Diagnostic[] {
  const known = new Map<string, { sha256: string; folder: string }>();
  const found = new Map<string, string[]>();
  for (const { folder, record } of shards) {
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
      'shard-differs',
      folder,
      `This shard and ${other} read different rows in ${files.slice(0, 3).join(', ')}${more}. Build both from the same lake.`,
    );
  });
}

function problem(code: string, file: string, message: string): Diagnostic {
  return { severity: 'error', code, file, message };
}
