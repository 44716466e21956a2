/** Milliseconds for what happens soon on a quiet machine, and may take long on a busy one. */
export const PATIENCE = 120_000;
