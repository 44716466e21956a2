/** A fetch that gives up when the host sends nothing for a while. */
import { concat } from '../answer.ts';

/** The host can't be reached, breaks off, is silent, or answers with an error. The tree may be fine. */
export class HostError extends Error {
  override readonly name = 'HostError';
  /** Null if the host didn't answer. */
  readonly status: number | null;
  /** Milliseconds of silence after which the request was given up; null for other reasons. */
  readonly silence: number | null;

  constructor(message: string, why: { readonly status?: number; readonly silence?: number | null } = {}) {
    super(message);
    this.status = why.status ?? null;
    this.silence = why.silence ?? null;
  }
}

/** Statuses of missing files. A bucket that refuses listings answers 403. */
export const ABSENT: ReadonlySet<number> = new Set([403, 404, 410]);

/** A response in progress. Read its body to the end, or call `end`. */
export interface Found {
  readonly response: Response;
  readonly parts: AsyncIterator<Uint8Array>;
  end(): Promise<void>;
}

/**
 * Resolves with any status. Rejects with HostError after `silence` milliseconds without a byte, or if the
 * host can't be reached or breaks off.
 */
export async function watchedFetch(
  request: string | Request,
  init: RequestInit,
  silence: number,
  signal?: AbortSignal | null,
): Promise<Found> {
  signal?.throwIfAborted();
  const patience = new AbortController();
  const wait = () =>
    setTimeout(() => patience.abort(new Error(`no byte arrived for ${silence / 1000} s`)), silence);
  let timer = wait();
  const stop = () => clearTimeout(timer);
  const fail = (error: unknown): never => {
    stop();
    signal?.throwIfAborted();
    const { aborted, reason } = patience.signal;
    const url = typeof request === 'string' ? request : request.url;
    throw new HostError(`${url} cannot be read: ${describeReason(aborted ? reason : error)}`, {
      silence: aborted ? silence : null,
    });
  };
  const both = signal ? AbortSignal.any([signal, patience.signal]) : patience.signal;
  const response = await fetch(request, { ...init, signal: both }).catch(fail);
  const reader = response.body?.getReader();
  const end = async () => {
    stop();
    await reader?.cancel().catch(() => undefined);
  };
  const parts = (async function* () {
    try {
      for (;;) {
        const item = (await reader?.read().catch(fail)) ?? { done: true as const, value: undefined };
        stop();
        if (item.done) return;
        yield item.value;
        timer = wait();
      }
    } finally {
      await end();
    }
  })();
  return { response, parts, end };
}

/** Node reports only "fetch failed"; the error's cause has the reason. */
function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError) return describeReason(cause.errors[0]);
  return cause instanceof Error ? describeReason(cause) : error.message;
}

/** `onBytes` gets the length of each part. */
export async function readAll(
  { parts }: Found,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = [];
  for (let item = await parts.next(); !item.done; item = await parts.next()) {
    all.push(item.value);
    onBytes?.(item.value.length);
  }
  return concat(all);
}
