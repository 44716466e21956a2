import type { ReadColumn } from './base-columns.ts';
import type { BaseColumn, Column, Role } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { readHeadlineValue } from './readers-words.ts';
import type { Path } from './yaml-document.ts';

const PLAIN_ROLES = ['year', 'time', 'categorical', 'metric', 'attribute'];
const ROLES = [...PLAIN_ROLES, 'fk_demographic', 'fk_county', 'fk_district', 'fk_school'];

/**
 * Reads a fact column's own properties: role, unit, range, total. Returns null, with a problem, if it has no valid
 * role.
 */
export function readFactColumn(
  { base, custom, path, guessed }: ReadColumn,
  problems: Problems,
): Column | null {
  const { values } = custom;
  const role = values.column_role;
  if (role === undefined || !isRole(role)) {
    if (role === undefined && custom.states('column_role')) return null;
    const what =
      role === undefined
        ? `the column ${quote(base.name)} has no column_role`
        : `there is no role ${quote(role)}`;
    const message = `${what}${suggestion(role ?? '', ROLES)}: use year, time, categorical, metric, attribute or fk_<noun>`;
    problems.doubt(custom.pathOf('column_role'), 'column-role', message);
    return null;
  }
  if (role === 'year' && (base.type !== 'integer' || base.nullable)) {
    const message = `the year column ${quote(base.name)} must be logicalType: integer and required: true`;
    problems.doubt([...path, base.type === 'integer' ? 'required' : 'logicalType'], 'year-column', message);
  }
  if (role === 'time') checkTimeColumn(base, path, problems);
  const { value_min: valueMin = null, value_max: valueMax = null } = values;
  if (valueMin !== null && valueMax !== null && valueMin > valueMax) {
    const message = `value_max ${valueMax} is below value_min ${valueMin}: swap or correct them`;
    problems.doubt(custom.pathOf('value_max'), 'value-range', message);
  }
  if (values.has_total === false && values.total_value !== undefined) {
    const message = `has_total is false, but total_value is ${quote(values.total_value)}: the build treats the column as one without a total; correct one of the two`;
    problems.warning(custom.pathOf('total_value'), 'total-contradiction', message);
  }
  const totalValue =
    values.has_total === false ? null : (values.total_value ?? (values.has_total ? 'all' : null));
  if (totalValue !== null && base.validValues !== null && !base.validValues.includes(totalValue)) {
    const message = `the total ${quote(totalValue)} is not among the allowed values${suggestion(totalValue, base.validValues.map(String))}: add it or correct total_value`;
    const at = custom.states('total_value') ? 'total_value' : 'has_total';
    problems.doubt(custom.pathOf(at), 'total-value', message);
  }
  return {
    ...base,
    role,
    guessed,
    unit: values.unit ?? null,
    valueMin,
    valueMax,
    nullMeaning: values.null_meaning ?? null,
    grainContributor: values.key_metric_grain_contributor ?? false,
    metricComponent: values.metric_component ?? null,
    totalValue,
    derivedFrom: null,
    headlineValue: readHeadlineValue(custom, base.validValues, totalValue, problems),
    synonyms: values.synonyms ?? [],
  };
}

function checkTimeColumn({ name, type, nullable }: BaseColumn, path: Path, problems: Problems): void {
  if (!['date', 'timestamp', 'string'].includes(type)) {
    const remedy = type === 'integer' ? '; a column of whole years has the role year' : '';
    const message = `the time column ${quote(name)} must be logicalType: date, timestamp or string${remedy}`;
    problems.doubt([...path, 'logicalType'], 'time-column', message);
  } else if (nullable) {
    const message = `the time column ${quote(name)} must be required: true`;
    problems.doubt([...path, 'required'], 'time-column', message);
  }
}

function isRole(role: string): role is Role {
  return PLAIN_ROLES.includes(role) || /^fk_[a-z0-9][a-z0-9_]{0,59}$/.test(role);
}

/** Whether a role joins a dimension. */
export function isForeignKey(role: Role): boolean {
  return role.startsWith('fk_');
}

/** Whether a column of this role is part of a place's key. */
export function isPlaceRole(role: Role): boolean {
  return isForeignKey(role) && role !== 'fk_demographic';
}
