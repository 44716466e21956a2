import type { ReadColumn } from './base-columns.ts';
import type { ObjectProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

/**
 * Reads the headline metric from the table's custom property `key_metric`, or from the column flagged with it. Returns
 * null if neither states one. Reports `key-metric` if they disagree or, once every column could be read, name no
 * metric.
 */
export function readKeyMetric(
  object: CustomProperties<ObjectProperties>,
  columns: readonly ReadColumn[],
  complete: boolean,
  problems: Problems,
): string | null {
  const fail = (path: Path, message: string) => {
    problems.doubt(path, 'key-metric', message);
    return null;
  };
  const [flagged, second] = columns.filter(({ custom }) => custom.values.key_metric === true);
  if (second !== undefined) {
    return fail(
      second.custom.pathOf('key_metric'),
      `${quote(flagged?.base.name)} is also flagged key_metric: flag only one column`,
    );
  }
  const name = object.values.key_metric ?? flagged?.base.name;
  if (name === undefined) return null;
  const path =
    object.values.key_metric === undefined
      ? flagged!.custom.pathOf('key_metric')
      : object.pathOf('key_metric');
  if (flagged !== undefined && flagged.base.name !== name) {
    return fail(
      path,
      `the key metric is ${quote(name)}, but ${quote(flagged.base.name)} is flagged key_metric: make them agree`,
    );
  }
  const metrics = columns
    .filter(({ custom }) => custom.values.column_role === 'metric')
    .map(({ base }) => base.name);
  if (metrics.includes(name) || !complete) return name;
  return fail(
    path,
    `the key metric ${quote(name)} is not a metric column${suggestion(name, metrics)}: name a metric column`,
  );
}
