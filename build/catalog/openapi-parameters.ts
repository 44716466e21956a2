/** Describes a dataset's filters and columns in OpenAPI. Pure. */

import type { ColumnType } from '../format/documents.ts';
import type { Json } from '../format/json.ts';
import type { RowColumn } from '../format/manifest.ts';
import type { ColumnDescriptor, FilterDescriptor, SchemaDocument } from '../format/schema.ts';
import { spellYears } from '../format/year-runs.ts';

export function pathParameter(
  name: string,
  description: string,
  values: readonly string[],
  example: string | undefined,
): Json {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', enum: values },
    ...(example === undefined ? {} : { example }),
  };
}

/** A list is one comma-separated text: `style: form`, not exploded. */
export function filterParameter(filter: FilterDescriptor, schema: SchemaDocument): Json {
  const item: Json = {
    ...valueType(filter.type),
    ...(filter.values === null
      ? {}
      : { enum: filter.type === 'integer' ? filter.values.map(Number) : filter.values }),
  };
  return {
    name: filter.param,
    in: 'query',
    description: filterDescription(filter, schema),
    ...(filter.multi_value
      ? { style: 'form', explode: false, schema: { type: 'array', items: item, minItems: 1 } }
      : { schema: { ...item, ...(filter.default === undefined ? {} : { default: filter.default }) } }),
  };
}

/** JSON has no dates: they are texts with a format. */
function valueType(type: ColumnType): { readonly type: string; readonly format?: string } {
  switch (type) {
    case 'date':
      return { type: 'string', format: 'date' };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    default:
      return { type };
  }
}

function filterDescription(filter: FilterDescriptor, schema: SchemaDocument): string {
  const column = schema.columns.find(candidate => candidate.name === filter.column);
  switch (filter.kind) {
    case 'year_exact':
      return `One year; the dataset has ${spellYears(schema.available_years)}. ${column?.description ?? ''}`.trim();
    case 'year_range':
      return filter.param === 'year_min' ? 'First year of the answer.' : 'Last year of the answer.';
    case 'detail':
      return 'Level of geography.';
    case 'range': {
      const side = filter.bound === 'min' ? 'at least' : 'at most';
      return `Rows whose ${column?.label ?? filter.column ?? 'value'} is ${side} this. Rows without a value never match.`;
    }
    case 'time':
    case 'foreign_key':
    case 'categorical':
      return [column?.label, column?.description].filter(Boolean).join('. ');
    case 'dimension_attribute':
      return `Rows whose ${filter.dimension ?? 'dimension'} have this ${filter.column ?? ''}.`;
    case 'place':
      return `Whole keys of places: the codes that the level has of ${(filter.columns ?? []).join(', ')}, in this order and joined by a colon. In a code, write % as %25, : as %3A and , as %2C before the value is encoded for the URL. An empty part means NULL.`;
    default:
      return filter.kind satisfies never;
  }
}

/** The schema of a row: the contract's columns with their descriptions, and the attributes that joins add. */
export function rowSchema(schema: SchemaDocument, columns: readonly RowColumn[]): Json {
  return {
    type: 'object',
    required: columns.map(column => column.name),
    properties: Object.fromEntries(
      columns.map(column => {
        const described = schema.columns.find(candidate => candidate.name === column.name);
        return [column.name, described === undefined ? joined(column) : own(described)];
      }),
    ),
  };
}

function joined(column: RowColumn): Json {
  const { type, ...format } = valueType(column.type);
  return {
    type: [type, 'null'],
    ...(column.type === 'date' ? format : {}),
    description: `From the dimension ${column.from ?? ''}.`,
  };
}

function own(column: ColumnDescriptor): Json {
  const text = [column.description, column.null_meaning === null ? '' : `NULL: ${column.null_meaning}`];
  const { type, ...format } = valueType(column.type);
  // Timestamps of a clock without a name have no offset, which the format date-time requires.
  const isPlain = column.type === 'timestamp' && column.time_zone === undefined;
  return {
    type: column.nullable ? [type, 'null'] : type,
    ...(isPlain ? {} : format),
    description: text.filter(Boolean).join(' '),
    ...(column.valid_values === null
      ? {}
      : { enum: column.nullable ? [...column.valid_values, null] : column.valid_values }),
    ...(column.value_min === null ? {} : { minimum: column.value_min }),
    ...(column.value_max === null ? {} : { maximum: column.value_max }),
  };
}
