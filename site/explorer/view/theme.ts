/** The colours of drawings. A saved file has no style sheet, so its drawing contains its colours. */

export interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  /** Colours of series, the most different first. */
  readonly series: readonly string[];
  /** Colours of a map's classes, from the lowest to the highest. */
  readonly classes: readonly string[];
  readonly missing: string;
}

export const LIGHT: Theme = {
  paper: '#ffffff',
  ink: '#17202a',
  soft: '#51606e',
  line: '#d3dae1',
  series: ['#0b5394', '#b3470b', '#1d7a54', '#7a3e9d', '#8a6d00', '#b0245f'],
  classes: ['#dceaf7', '#a7bed4', '#7292b1', '#3d658e', '#08396b'],
  missing: '#eceff2',
};

/** The colours of the page's style sheet, which follow it from light to dark. */
export const PAGE: Theme = {
  paper: 'var(--paper)',
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  line: 'var(--line)',
  series: LIGHT.series.map((_, i) => `var(--series-${i + 1})`),
  classes: LIGHT.classes.map((_, i) => `var(--class-${i + 1})`),
  missing: 'var(--missing)',
};
