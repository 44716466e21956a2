/** Describes a dataset's filters and columns in OpenAPI. Pure. */
import type { ColumnType } from '../format/documents.ts';
import type { Fields, Json } from '../format/json.ts';
import type { DatasetManifest, RowColumn } from '../format/manifest.ts';
import type { ColumnDescriptor, FilterDescriptor, SchemaDocument } from '../format/schema.ts';
import { spellYears } from '../format/year-runs.ts';
import { describedColumns } from './tree-description.ts';

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
    example,
  };
}

/** A list is one comma-separated text: `style: form`, not exploded. */
export function filterParameter(filter: FilterDescriptor, schema: SchemaDocument): Json {
  const { type, values } = filter;
  const listed = type === 'integer' ? values?.map(Number) : values;
  const item: Fields = { ...valueType(type), enum: listed ?? undefined };
  return {
    name: filter.param,
    in: 'query',
    description: filterDescription(filter, schema),
    ...(filter.multi_value
      ? { style: 'form', explode: false, schema: { type: 'array', items: item, minItems: 1 } }
      : { schema: { ...item, default: filter.default } }),
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
export function rowSchema(schema: SchemaDocument, manifest: DatasetManifest): Json {
  return {
    type: 'object',
    required: manifest.columns.map(column => column.name),
    properties: Object.fromEntries(
      describedColumns(manifest, schema).map(({ column, known }) => [
        column.name,
        known === undefined ? joined(column) : own(known),
      ]),
    ),
  };
}

function joined(column: RowColumn): Json {
  const { type, format } = valueType(column.type);
  return {
    type: [type, 'null'],
    format: column.type === 'date' ? format : undefined,
    description: `From the dimension ${column.from ?? ''}.`,
  };
}

function own(column: ColumnDescriptor): Json {
  const { nullable, null_meaning: meaning, valid_values: values } = column;
  const { type, format } = valueType(column.type);
  // Timestamps of a clock without a name have no offset, which the format date-time requires.
  const isPlain = column.type === 'timestamp' && column.time_zone === undefined;
  return {
    type: nullable ? [type, 'null'] : type,
    format: isPlain ? undefined : format,
    description: [column.description, meaning === null ? '' : `NULL: ${meaning}`].filter(Boolean).join(' '),
    enum: values === null ? undefined : nullable ? [...values, null] : values,
    minimum: column.value_min ?? undefined,
    maximum: column.value_max ?? undefined,
  };
}
