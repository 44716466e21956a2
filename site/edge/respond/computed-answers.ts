/**
 * Answers made of rows, kept whole. The same request to the same release has the same answer: on the day everyone looks,
 * most readers ask what another has just asked.
 */
import type { Answer, BodyAnswer, Incoming } from '../answer.ts';
import type { Tree } from '../catalog.ts';
import { Kept } from '../files/kept.ts';
import { isConditional, keyOf, variesByMore } from './stored-answers.ts';

export interface AnswerMemory {
  /** The most bytes of answers that are kept. */
  readonly bytes: number;
  /**
   * Counts bytes that are on their way to a reader, until its result is called. Null where the host has no room for them:
   * then the question waits for its turn like any other.
   */
  readonly hold: (incoming: Incoming, bytes: number) => (() => void) | null;
}

/** What an answer takes besides its body. */
const OVERHEAD = 2048;

export class ComputedAnswers {
  private readonly memory: AnswerMemory;
  private answers: Kept<BodyAnswer & { readonly body: Uint8Array }>;
  private tree: Tree | null = null;

  constructor(memory: AnswerMemory) {
    this.memory = memory;
    this.answers = new Kept(memory.bytes);
  }

  get(tree: Tree, incoming: Incoming): BodyAnswer | null {
    if (this.tree !== tree || isConditional(incoming)) return null;
    const known = this.answers.get(hostKeyOf(incoming));
    if (!known) return null;
    const release = this.memory.hold(incoming, known.body.length);
    return release && { ...known, release };
  }

  keep(tree: Tree, incoming: Incoming, answer: Answer): void {
    if (answer.kind !== 'body' || answer.status !== 200 || variesByMore(answer)) return;
    const { kind, status, headers, body } = answer;
    if (!(body instanceof Uint8Array)) return;
    if (this.tree !== tree) this.answers = new Kept(this.memory.bytes);
    this.tree = tree;
    // A body may be part of a larger buffer, which stays as long as it does.
    const bytes = body.buffer.byteLength + OVERHEAD;
    this.answers.keep(hostKeyOf(incoming), { kind, status, headers, body }, bytes);
  }
}

/** Answers name the host and the root that they come from. */
function hostKeyOf(incoming: Incoming): string {
  return `${incoming.origin} ${incoming.root} ${keyOf(incoming)}`;
}
