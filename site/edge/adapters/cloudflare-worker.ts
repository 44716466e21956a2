/** The Worker's module. Deploy its bundle with the tree as assets, or with a bucket that holds the tree. */
import type { Handler } from '../fetch.ts';
import { createWorkerHandler, type Environment } from './cloudflare.ts';

let handler: Handler | null = null;

const worker = {
  fetch(request: Request, environment: Environment): Promise<Response> {
    handler ??= createWorkerHandler(environment);
    return handler(request);
  },
};

// biome-ignore lint/style/noDefaultExport: a Worker is its module's default export
export default worker;
