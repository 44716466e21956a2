/** Colours of a result against its target, by the offices' letters and by their names. */
const COLOURS = { G: 'green', Y: 'yellow', R: 'red', GREEN: 'green', YELLOW: 'yellow', RED: 'red' } as const;

/** SQL that reads a flag (VARCHAR) as its colour; NULL where it is blank, a marker or no known flag. */
export function flagColour(cell: string): string {
  const pairs = Object.entries(COLOURS).map(([text, colour]) => `'${text}': '${colour}'`);
  return `MAP {${pairs.join(', ')}}[upper(trim(${cell}))]`;
}

/** SQL: the source prints a flag that is none of these. */
export function isOtherFlag(cell: string): string {
  return `(NOT is_marker(${cell}) AND ${flagColour(cell)} IS NULL)`;
}

/** SQL for a branch of CASE: what is said of a row whose flag is left out. */
export function otherFlagRemark(cell: string): string {
  return `WHEN ${isOtherFlag(cell)}
            THEN concat('the flag "', ${cell}, '" is not green (G), yellow (Y) or red (R) and is left out')`;
}
