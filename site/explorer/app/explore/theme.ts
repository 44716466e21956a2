/** The page's own colours, for drawings. */
import { LIGHT, type Theme } from '../../view/theme.ts';

const NAMES = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

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
