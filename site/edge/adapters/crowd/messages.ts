/** What the server's thread and a thread that computes answers say to each other. */
import type { BodyAnswer, FileAnswer, Incoming } from '../../answer.ts';

export interface WorkerLimits {
  /** Of the thread and of DuckDB's, as `nice` counts: stored files go first on a busy machine. */
  readonly priority: number;
  /** Memory for decoded row groups, in bytes. */
  readonly groupsBytes: number;
  readonly duckdbThreads: number;
  /** As DuckDB writes it, such as `512MB`. */
  readonly duckdbMemory: string;
}

/** A folder that answers are made from. The number differs where another folder takes the same name. */
export interface NumberedFolder {
  readonly number: number;
  readonly root: string;
}

/** The request without what only its own thread can use. Its conditions are judged before a thread is asked. */
export type Asked = Pick<Incoming, 'method' | 'root' | 'path' | 'query' | 'origin'>;

/** `id` numbers the question. `more` asks for the next part of a stream; nothing follows `stop`. */
export type ToWorker =
  | { readonly kind: 'ask'; readonly id: number; readonly folder: NumberedFolder; readonly asked: Asked }
  | { readonly kind: 'more' | 'stop'; readonly id: number };

/** An answer whose body follows in parts, each on request, has the body `parts`. */
export type SentAnswer =
  | FileAnswer
  | (Omit<BodyAnswer, 'body'> & { readonly body: Uint8Array | 'parts' | null });

/** Each `ask` has one `answer` or `failed`, and each `more` one `part`, `end` or `failed`. */
export type FromWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SentAnswer }
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly message: string;
      /** The file that is not as its manifest says; null where something else failed. */
      readonly mismatch: string | null;
    }
  | { readonly kind: 'error'; readonly message: string };
