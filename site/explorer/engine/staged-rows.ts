/** Answers the API's questions from a tree on the disk of a build, as the page does from its host. */
import type { Files } from '../../edge/files/files.ts';
import type { Table } from '../../query/table.ts';
import type { Parameters, TableData } from './engine.ts';
import { openPacked } from './packed-table.ts';
import { readAllRows } from './rows-answer.ts';

/** `readBytes` reads a file by its path from the tree's root; null if there is none. */
export async function readStagedRows(
  readBytes: (path: string) => Uint8Array | null,
  key: string,
  table: Table,
  parameters: Parameters,
): Promise<TableData> {
  const files: Files = {
    stat: async path => {
      const bytes = readBytes(path);
      return bytes && { bytes: bytes.length, modified: null, etag: null };
    },
    read: async (path, range) => {
      const bytes = readBytes(path);
      return (
        bytes && {
          size: bytes.length,
          bytes: range === null ? bytes : bytes.subarray(range.start, range.end),
        }
      );
    },
  };
  const access = { files, subject: async () => ({ table }), preferWhole: () => undefined };
  const control = { signal: new AbortController().signal, expectBytes: () => undefined };
  const { table: packed } = await readAllRows(access, { key, parameters, sort: [] }, control);
  return openPacked(packed);
}
