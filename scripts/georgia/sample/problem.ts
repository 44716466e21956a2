/** Why a sample lake cannot be written, for people to read. */
export interface Problem {
  readonly code:
    | 'not-a-sample-lake'
    | 'unknown-dataset'
    | 'no-contract'
    | 'bad-contract'
    | 'bad-query'
    | 'wrong-columns';
  readonly message: string;
}
