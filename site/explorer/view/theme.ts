/** The colours of drawings. A saved file has no style sheet, so each drawing contains its colours. */

export interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  /** Colours of series, the most different first. */
  readonly series: readonly string[];
  /** From lowest to highest. */
  readonly ramp: readonly [string, string];
  readonly missing: string;
}

export const LIGHT: Theme = {
  paper: '#ffffff',
  ink: '#17202a',
  soft: '#51606e',
  line: '#d3dae1',
  series: ['#0b5394', '#b3470b', '#1d7a54', '#7a3e9d', '#8a6d00', '#b0245f'],
  ramp: ['#dceaf7', '#08396b'],
  missing: '#eceff2',
};
