import type { Lake } from './lake.ts';
export async function openBucketLake(location: string, cache: string): Promise<Pick<Lake, 'fetch' | 'list'>> {
  throw new Error(location + cache);
}
