/** `npm start`: writes a sample lake if data/lake is empty, then runs `civic start`. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { markerName, writeSampleLake } from './georgia/sample/lake.ts';

const LAKE = 'data/lake';

const names = await readdir(LAKE).catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return [];
  throw error;
});
if (names.length === 0) {
  console.error(
    `${LAKE} has no data yet. Writing a sample lake of invented figures. This takes up to a minute.`,
  );
  const written = await writeSampleLake({ out: LAKE, scale: 'small', seed: 1 });
  const rows = written.reduce((sum, table) => sum + table.rows, 0);
  console.error(
    `${LAKE} has ${rows} invented rows in ${written.length} tables. To publish your own data, replace it with your lake.`,
  );
} else if (existsSync(path.join(LAKE, markerName))) {
  console.error(
    `${LAKE} is a sample lake. If the contracts have changed since, write it again: npm run sample`,
  );
}
process.argv.splice(2, 0, 'start', '--data', LAKE);
await import(new URL('../bin/civic.js', import.meta.url).href);
