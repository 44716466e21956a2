/**
 * Columns and counts of the lake's files, kept in the workspace by what the files hold: to open them all takes longer
 * than making one changed slice. Same bytes, same program, same shape; anything else is asked of the file.
 */
import path from 'node:path';
import { duckDbVersion } from '../lake/database.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import type { ParquetShape } from '../lake/parquet-shape.ts';
import { PROGRAM } from './build-state.ts';
import type { ContentOf } from './file-contents.ts';
import { keepValue, readKept } from './kept-value.ts';
import type { Workspace } from './workspace.ts';

/** By what the file holds. */
type Shapes = ReadonlyMap<string, ParquetShape>;

export interface ShapeCache {
  /** By lake path, as far as they are known. */
  recall(files: readonly LakeFile[]): Map<string, ParquetShape>;
  /** Keeps the shapes of these files, of some of which more is known now, and of no others. */
  keep(files: readonly LakeFile[], found: ReadonlyMap<string, ParquetShape>): void;
}

export function openShapeCache(workspace: Workspace, contentOf: ContentOf): ShapeCache {
  const kept = path.join(workspace.folder, 'shapes.v8');
  const program = `${PROGRAM} DuckDB ${duckDbVersion()}`;
  const before = readKept<Shapes>(kept, program);
  const known = (file: LakeFile) => before?.get(contentOf(file));
  return {
    recall: files =>
      new Map(
        files.flatMap(file => {
          const shape = known(file);
          return shape === undefined ? [] : [[file.path, shape]];
        }),
      ),
    keep(files, found) {
      const shapes = new Map<string, ParquetShape>();
      for (const file of files) {
        const shape = found.get(file.path) ?? known(file);
        if (shape !== undefined) shapes.set(contentOf(file), shape);
      }
      keepValue<Shapes>(kept, program, shapes);
    },
  };
}
