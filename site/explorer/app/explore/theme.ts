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

const NAMES = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

export const LIGHT: Theme = {
  paper: '#ffffff',
  ink: '#17202a',
  soft: '#51606e',
  line: '#d3dae1',
  series: ['#0b5394', '#b3470b', '#1d7a54', '#7a3e9d', '#8a6d00', '#b0245f'],
  ramp: ['#dceaf7', '#08396b'],
  missing: '#eceff2',
};

/** Reads the page's present colours; falls back to the light ones. */
export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  return {
    paper: read('--paper', LIGHT.paper),
    ink: read('--ink', LIGHT.ink),
    soft: read('--soft', LIGHT.soft),
    line: read('--line', LIGHT.line),
    series: NAMES.map((name, index) => read(name, LIGHT.series[index]!)),
    ramp: dark ? ['#1f3a56', '#b4d7f8'] : LIGHT.ramp,
    missing: dark ? '#242c34' : LIGHT.missing,
  };
}
