/** Colours of a result against its target, by the offices' letters and names. */
const COLOURS = { G: 'green', Y: 'yellow', R: 'red', GREEN: 'green', YELLOW: 'yellow', RED: 'red' } as const;

/** SQL that reads a flag (VARCHAR) as its colour; NULL if it is blank, a marker or unknown. */
export function flagColour(cell: string): string {
  const pairs = Object.entries(COLOURS).map(([text, colour]) => `'${text}': '${colour}'`);
  return `MAP {${pairs.join(', ')}}[upper(trim(${cell}))]`;
}

/** SQL: the source prints an unknown flag. */
export function isOtherFlag(cell: string): string {
  return `(NOT is_marker(${cell}) AND ${flagColour(cell)} IS NULL)`;
}

/** SQL for the branch of CASE that reports an unknown flag. */
export function otherFlagRemark(cell: string): string {
  return `WHEN ${isOtherFlag(cell)}
            THEN concat('the flag "', ${cell}, '" is not green (G), yellow (Y) or red (R) and is left out')`;
}
