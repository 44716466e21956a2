/** Runs the live service: `node live-service-main.js TREE` prints its address as JSON. */
import path from 'node:path';
import { createLiveService } from './live-service.ts';

const [tree = ''] = process.argv.slice(2);
const server = await createLiveService(path.resolve(tree));
const url = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url }));
