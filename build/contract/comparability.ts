/** Checks what a contract says about which years can be compared. Charts read these statements from contract.json. */
import type { ReadColumn } from './base-columns.ts';
import type { ObjectProperties, RawSeriesBreak } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

/**
 * Checks `series_breaks` of the dataset and of its columns. Reports `series-break` for a break that has no year before
 * or after it, is stated twice, names an unknown level, or belongs to a column that is not a metric.
 */
export function checkComparability(
  object: CustomProperties<ObjectProperties>,
  columns: readonly ReadColumn[],
  years: readonly number[],
  levels: readonly string[],
  problems: Problems,
): void {
  const checkBreaks = (breaks: readonly RawSeriesBreak[], pathOf: (...inside: Path) => Path) => {
    for (const [index, { after, levels: named = [] }] of breaks.entries()) {
      const fail = (message: string, ...inside: Path) =>
        problems.doubt(pathOf(index, ...inside), 'series-break', message);
      const [first, last] = [years[0] ?? after, years.at(-1) ?? after];
      // Years that the lake gives are not known yet.
      if (years.length > 0 && (after < first || after >= last)) {
        const remedy = `name a year from ${first} to ${last - 1}`;
        fail(`a break after ${after} needs at least one year on each side: ${remedy}`, 'after');
      }
      const same = (one: RawSeriesBreak) => one.after === after && `${one.levels ?? []}` === `${named}`;
      if (breaks.findIndex(same) < index) fail(`a break after ${after} is stated twice: remove one`, 'after');
      for (const [at, level] of named.entries()) {
        if (levels.length === 0 || levels.includes(level)) continue;
        fail(`there is no level ${quote(level)}${suggestion(level, levels)}: correct the name`, 'levels', at);
      }
    }
  };
  checkBreaks(object.values.series_breaks ?? [], (...inside) => object.pathOf('series_breaks', ...inside));
  for (const { base, custom } of columns) {
    const breaks = custom.values.series_breaks ?? [];
    if (breaks.length > 0 && custom.values.column_role !== 'metric') {
      const message = `${quote(base.name)} is not a metric, so it has no series to break: remove series_breaks`;
      problems.doubt(custom.pathOf('series_breaks'), 'series-break', message);
    }
    checkBreaks(breaks, (...inside) => custom.pathOf('series_breaks', ...inside));
  }
}
