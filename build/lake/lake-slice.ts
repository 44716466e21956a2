import type { LakeFile } from './lake-files.ts';

/** One year of one level of one dataset, in one file or several. */
export interface LakeSlice {
  readonly year: number;
  readonly detail: string;
  readonly files: readonly LakeFile[];
}

/** The name of a slice within its dataset: `2024/schools`. */
export function sliceName({ year, detail }: Pick<LakeSlice, 'year' | 'detail'>): string {
  return `${year}/${detail}`;
}
