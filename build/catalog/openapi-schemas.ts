/** The schemas of published documents as components of openapi.json. Pure. */
import {
  ColumnValue,
  DatasetSummary,
  DatasetsDocument,
  HealthDocument,
  RuleCounts,
  ServiceDocument,
  ValuesDocument,
  WithdrawnSummary,
} from '../format/document-schemas.ts';
import type { Json } from '../format/json.ts';
import {
  ColumnDescriptor,
  DimensionColumnDescriptor,
  DimensionSchemaDocument,
  FilterDescriptor,
  ForeignKeyDescriptor,
  SchemaDocument,
} from '../format/schema.ts';
import { StatisticsDocument } from '../format/statistics.ts';
import { reference } from './openapi-references.ts';

const COMPONENTS = {
  Statistics: StatisticsDocument,
  Service: ServiceDocument,
  Health: HealthDocument,
  RuleCounts,
  Datasets: DatasetsDocument,
  DatasetSummary,
  WithdrawnSummary,
  DatasetSchema: SchemaDocument,
  Column: ColumnDescriptor,
  Filter: FilterDescriptor,
  ForeignKey: ForeignKeyDescriptor,
  Values: ValuesDocument,
  ColumnValue,
  DimensionSchema: DimensionSchemaDocument,
  DimensionColumn: DimensionColumnDescriptor,
};

export type ComponentName = keyof typeof COMPONENTS;

/** Each schema by its name. Where it contains another of them, it refers to it. */
export function componentSchemas(): Readonly<Record<string, Json>> {
  const names = new Map<unknown, string>(Object.entries(COMPONENTS).map(([name, schema]) => [schema, name]));
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([name, schema]) => {
      const text = JSON.stringify(schema, (_, part: unknown) => {
        const other = names.get(part);
        return other === undefined || other === name ? part : reference('schemas', other);
      });
      return [name, JSON.parse(text) as Json];
    }),
  );
}
