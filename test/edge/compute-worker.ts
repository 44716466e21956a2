/** The compiled file of the threads that compute answers: the sources alone start none. */
export const COMPUTE_WORKER = new URL('../../lib/bin/compute-worker.js', import.meta.url);
