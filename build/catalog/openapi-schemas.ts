/** The schemas of published documents as components of openapi.json. Pure. */
import { ColumnValue, DatasetSummary, RuleCounts, WithdrawnSummary } from '../format/document-schemas.ts';
import type { Json } from '../format/json.ts';
import {
  ColumnDescriptor,
  DimensionColumnDescriptor,
  DimensionSchemaDocument,
  FilterDescriptor,
  ForeignKeyDescriptor,
} from '../format/schema.ts';
import { reference } from './openapi-references.ts';

const COMPONENTS = {
  RuleCounts,
  DatasetSummary,
  WithdrawnSummary,
  Column: ColumnDescriptor,
  Filter: FilterDescriptor,
  ForeignKey: ForeignKeyDescriptor,
  ColumnValue,
  DimensionSchema: DimensionSchemaDocument,
  DimensionColumn: DimensionColumnDescriptor,
};

export interface NamedSchema {
  readonly name: string;
  readonly schema: object;
}

/** The schemas of these documents and of all others, by their names. Where one contains another, it refers to it. */
export function componentSchemas(documents: readonly NamedSchema[]): Readonly<Record<string, Json>> {
  const all: [string, object][] = [
    ...documents.map(({ name, schema }): [string, object] => [name, schema]),
    ...Object.entries(COMPONENTS),
  ];
  const names = new Map<unknown, string>(all.map(([name, schema]) => [schema, name]));
  return Object.fromEntries(
    all.map(([name, schema]) => {
      const text = JSON.stringify(schema, (_, part: unknown) => {
        const other = names.get(part);
        return other === undefined || other === name ? part : reference('schemas', other);
      });
      return [name, JSON.parse(text) as Json];
    }),
  );
}
