/** Colours of drawings: a file must not depend on the page's style sheet, so they are written into it. */

export interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  /** Of series, most different first. */
  readonly series: readonly string[];
  /** From least to most. */
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

/** The page's colours as they are now; the light ones where the style sheet has none. */
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
