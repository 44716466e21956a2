/** The words for what a release changed. Pages load them before their scripts, so this imports nothing. */

/** Counts are written out; names look like `counties 2020 to 2022; states 2022`. */
export const CHANGE_WORDS = {
  none: 'No row changed.',
  revised: (rows: number) => `${countRows(rows)} revised`,
  added: (rows: number) => `${countRows(rows)} added`,
  removed: (rows: number) => `${countRows(rows)} removed`,
  kinds: {
    revised: 'Revised',
    added: 'New',
    removed: 'Withdrawn',
    replaced: 'Published anew with another grain',
    forgotten: 'Taken back, so that nobody is told the earlier rows',
  },
  renamed: (old: string, now: string) => `The column ${old} is called ${now} since.`,
  dropped: (columns: string) => `Columns that went or became another type: ${columns}.`,
  /** Joins the first and last of several years. */
  to: ' to ',
};

function countRows(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}
