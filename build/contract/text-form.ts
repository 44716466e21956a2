/** Reads how a contract says that files write numbers, dates and times as text. */
import type { ColumnType } from '../format/documents.ts';
import type { RawProperty } from './contract-profile.ts';
import type { ColumnProperties, ObjectProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import type { TextForm } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { parseTimeFormat } from './time-format.ts';
import type { Path } from './yaml-document.ts';

/** Nothing is said: the values of a column decide, if they can be read in one way only. */
export const NO_FORM: TextForm = { decimal: null, group: null, format: null, zone: null };

/** The table's `decimal` and `group` hold for columns that state neither. */
export function readTextForm(
  raw: RawProperty,
  type: ColumnType,
  custom: CustomProperties<ColumnProperties>,
  table: CustomProperties<ObjectProperties>,
  path: Path,
  problems: Problems,
): TextForm {
  switch (type) {
    case 'integer':
    case 'number': {
      const of = custom.states('decimal') || custom.states('group') ? custom : table;
      const { decimal = null, group = null } = of.values;
      if (decimal === null || decimal !== group) return { ...NO_FORM, decimal, group };
      const message = `decimal and group are both ${quote(decimal)}, so no number could be read: correct one`;
      problems.doubt(of.pathOf('group'), 'text-form', message);
      return NO_FORM;
    }
    case 'date':
    case 'timestamp':
      return readTimeForm(raw, type, path, problems);
    case 'string':
    case 'boolean':
      return NO_FORM;
    default:
      return type satisfies never;
  }
}

function readTimeForm(raw: RawProperty, type: ColumnType, path: Path, problems: Problems): TextForm {
  const { format, defaultTimezone: zone } = raw.logicalTypeOptions ?? {};
  const fail = (key: string, message: string) => {
    problems.doubt([...path, 'logicalTypeOptions', key], 'text-form', message);
    return null;
  };
  const readFormat = () => {
    if (format === undefined || format === null) return null;
    if (typeof format !== 'string')
      return fail('format', `the format ${quote(format)} is no text: write it in quotes`);
    const read = parseTimeFormat(format);
    return typeof read === 'string'
      ? fail('format', `the format ${quote(format)} cannot be read: ${read}`)
      : format;
  };
  const readZone = () => {
    if (zone === undefined || zone === null) return null;
    if (typeof zone !== 'string' || !isZone(zone))
      return fail(
        'defaultTimezone',
        `the time zone ${quote(zone)} is not known: use a name such as Etc/UTC or America/New_York`,
      );
    return type === 'timestamp' ? zone : null;
  };
  return { ...NO_FORM, format: readFormat(), zone: readZone() };
}

/** A name of the IANA database. */
function isZone(zone: string): boolean {
  if (!/^(UTC|GMT|[A-Z][A-Za-z_]*(\/[A-Za-z0-9_+-]+)+)$/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
