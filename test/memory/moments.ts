/** Answers about a moment, and those of the tree of then, in the form in which they must be equal. */
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** What the answers of all hosts have in common. */
export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Status and bytes of an answer without the moment that it states, and rows of Parquet in place of their file. */
export async function contentOf(answer: Answer, moment: string): Promise<[number, string]> {
  const bytes = await answer.arrayBuffer();
  if (answer.headers.get('content-type')?.includes('parquet')) {
    const found = await parquetReadObjects({ file: bytes, compressors });
    return [answer.status, JSON.stringify(found, (_, one) => (typeof one === 'bigint' ? String(one) : one))];
  }
  const text = new TextDecoder()
    .decode(bytes)
    .replace(`"as_of":"${moment}",`, '')
    .replaceAll(`as_of=${moment}&`, '')
    .replace(new RegExp(`[?&]as_of=${moment}`, 'g'), '');
  // Why an answer is empty follows from the values of a tree, and no later tree has them.
  return [answer.status, text.includes('"count":0,"next"') ? text.replace(/"notices":\[[^\]]*\]/, '') : text];
}

export const asOf = (url: string, moment: string) => `${url}${url.includes('?') ? '&' : '?'}as_of=${moment}`;
