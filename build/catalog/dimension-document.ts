import type { Dimension } from '../contract/dataset.ts';
import type { Stamp } from '../format/documents.ts';
import { route } from '../format/paths.ts';
import type { DimensionSchemaDocument, ShapeKind } from '../format/schema.ts';

/**
 * Renders a dimension's schema document (section 2.6 of the specification). `home` is the domain of its route. Pure.
 */
export function dimensionDocument(
  stamp: Stamp,
  dimension: Dimension,
  home: string,
  rows: number,
  shapes: { readonly kind: ShapeKind } | null = null,
): DimensionSchemaDocument {
  return {
    ...stamp,
    name: dimension.name,
    title: dimension.title,
    description: dimension.description,
    version: dimension.version,
    scope: dimension.scope,
    schema_hash: dimension.schemaHash,
    primary_key: dimension.primaryKey,
    attribute_columns: dimension.attributeColumns,
    columns: dimension.columns.map(column => ({
      name: column.name,
      type: column.type,
      role: column.role,
      nullable: column.nullable,
      label: column.label,
      description: column.description,
      primary_key_position: column.role === 'key' ? dimension.primaryKey.indexOf(column.name) + 1 : null,
      valid_values: column.validValues,
      ...(Object.keys(column.valueLabels).length === 0 ? {} : { value_labels: column.valueLabels }),
      ...(typeof column.linkKey !== 'boolean' ? { link_key: column.linkKey } : {}),
    })),
    rows,
    endpoint: route.dimension(home, dimension.name),
    ...(dimension.linkKeys === null ? {} : { link_keys: dimension.linkKeys }),
    ...(dimension.semantics === null || dimension.semantics === undefined
      ? {}
      : { semantics: dimension.semantics }),
    ...(shapes === null ? {} : { shapes: shapes.kind }),
  };
}
