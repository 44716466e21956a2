/** Which mutations a seed chooses: the same number of every room, of as many kinds as it can. */
import { createHash } from 'node:crypto';
import type { Mutation } from './sites.ts';

/** The room of a source: the first two parts of its path; files at the root of build/ make one. */
export function roomOf(file: string): string {
  const [half = '', room = ''] = file.split('/');
  return room.includes('.') ? half : `${half}/${room}`;
}

interface Drawn {
  readonly mutation: Mutation;
  readonly draw: string;
}

/**
 * The mutations of each room in the order in which a seed takes them: one of each kind, then a second of each. The
 * order depends on the seed and the sources alone.
 */
export function drawnMutations(seed: number, all: readonly Mutation[]): Map<string, Mutation[]> {
  const drawn = all
    .map(mutation => ({ mutation, draw: draw(seed, mutation) }))
    .sort((one, other) => (one.draw < other.draw ? -1 : 1));
  const rooms = new Map<string, Drawn[][]>();
  const taken = new Map<string, number>();
  for (const one of drawn) {
    const room = roomOf(one.mutation.file);
    const kind = `${room} ${one.mutation.kind}`;
    const turn = taken.get(kind) ?? 0;
    taken.set(kind, turn + 1);
    const turns = rooms.get(room) ?? [];
    rooms.set(room, turns);
    turns[turn] = [...(turns[turn] ?? []), one];
  }
  const names = [...rooms.keys()].sort();
  return new Map(names.map(name => [name, (rooms.get(name) ?? []).flat().map(({ mutation }) => mutation)]));
}

/** Each mutation draws for itself, so that a change of one file leaves the order of the others' as it was. */
function draw(seed: number, { file, text, turn, before, after }: Mutation): string {
  return createHash('sha256').update(`${seed} ${file} ${text} ${turn} ${before} ${after}`).digest('hex');
}
