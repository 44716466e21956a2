/** Milliseconds for something that is quick on a quiet machine and may be slow on a busy one. */
export const PATIENCE = 120_000;
