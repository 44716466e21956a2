/**
 * Renders the schema documents of datasets and dimensions (sections 2.1 to 2.4 and 2.6 of the specification).
 * Pure.
 */

import type {
  ColumnDescriptor,
  DimensionSchemaDocument,
  ExampleQuery,
  SchemaDocument,
  ShapeKind,
  Stamp,
} from '../format/documents.ts';
import { NO_YEAR, route, statisticsPath } from '../format/paths.ts';
import { levelsByYears } from '../format/time-text.ts';
import type { Column, Contracts, Dataset, Dimension, Synonym } from './dataset.ts';
import { datasetFilters, defaultLevel } from './filters.ts';
import { gapsOf, type Holdings } from './years-and-levels.ts';

/**
 * `This release holds counties and tracts of 2023.`, because the contract's texts may mention years and levels that the
 * tree lacks. Null if it lacks none.
 */
export function coverageNote(dataset: Dataset, { levelYears }: Holdings): string | null {
  const whole = dataset.levels.every(level => {
    const held = new Set(levelYears.get(level));
    return (dataset.levelYears.get(level) ?? dataset.years).every(year => held.has(year));
  });
  if (whole) return null;
  const held = levelsByYears(levelYears).map(([years, levels]) => {
    const named = levels.map(level => level.replaceAll('_', ' ')).join(', ');
    return named.replace(/, ([^,]+)$/, ' and $1') + (years === '' ? '' : ` of ${years}`);
  });
  return `This release holds ${held.join('; ')}.`;
}

export function schemaDocument(
  stamp: Stamp,
  dataset: Dataset,
  contracts: Contracts,
  holdings: Holdings,
  examples: readonly ExampleQuery[] = dataset.exampleQueries,
): SchemaDocument {
  const area = dataset.area ?? contracts.publisher.area;
  const { levels } = holdings;
  const years = holdings.years.filter(year => year !== NO_YEAR);
  const note = coverageNote(dataset, holdings);
  return {
    ...stamp,
    main_topic: dataset.domain,
    sub_topic: dataset.subTopic,
    topic: dataset.topic,
    key: [dataset.domain, dataset.subTopic, dataset.topic].filter(part => part !== '').join('/'),
    version: dataset.version,
    year_min: years[0] ?? null,
    year_max: years.at(-1) ?? null,
    year_gaps: gapsOf(years),
    available_years: years,
    update_frequency: dataset.updateFrequency,
    detail_levels: levels,
    default_detail: defaultLevel(dataset, levels),
    ...(note === null ? {} : { coverage_note: note }),
    ...(dataset.time.column !== null && dataset.time.column === dataset.time.yearColumn
      ? {}
      : { time: { unit: dataset.time.unit, column: dataset.time.column } }),
    path_template: dataset.pathTemplate,
    grain: dataset.grain,
    title: dataset.title,
    summary: dataset.summary,
    description: dataset.purpose || dataset.description,
    ...(dataset.explorer === null ? {} : { explorer: dataset.explorer }),
    source: dataset.dataSource,
    source_url: dataset.dataSourceUrl,
    ...(dataset.creator === null ? {} : { creator: dataset.creator }),
    endpoint: route.facts(dataset.domain, dataset.topic),
    columns: dataset.columns.map(column => columnDescriptor(column, holdings)),
    key_metric: dataset.keyMetric,
    usage: dataset.usage,
    limitations: dataset.limitations,
    null_semantics: dataset.nullSemantics,
    schema_hash: dataset.schemaHash,
    tags: dataset.tags,
    granularity_description: dataset.granularityDescription,
    example_queries: examples,
    foreign_keys: dataset.foreignKeys.map(key => ({
      column: key.column,
      target_object: key.targetObject,
      target_columns: key.targetColumns,
      attribute_columns_added: key.attributeColumns,
      scope: key.scope,
    })),
    filters: datasetFilters(dataset, contracts, levels),
    filter_hints: [],
    values_endpoint: route.values(dataset.domain, dataset.topic),
    statistics_template: `/${statisticsPath(dataset.domain, dataset.topic, '{detail}')}`,
    ...(area === null ? {} : { area }),
    ...synonymFields(dataset.synonyms),
    ...(dataset.context === null ? {} : { context: dataset.context }),
    ...(dataset.questions.length === 0 ? {} : { questions: dataset.questions }),
    ...(dataset.withdrawnSlices.length === 0 ? {} : { withdrawn_slices: dataset.withdrawnSlices }),
  };
}

function columnDescriptor(column: Column, { years }: Holdings): ColumnDescriptor {
  const isOtherYear =
    column.role === 'year' && column.example !== null && !years.includes(Number(column.example));
  return {
    name: column.name,
    type: column.type,
    role: column.role,
    nullable: column.nullable,
    label: column.label,
    short_description: column.shortDescription,
    description: column.description,
    valid_values: column.validValues,
    example: isOtherYear ? (years.at(-1) ?? null) : column.example,
    unit: column.unit,
    value_min: column.valueMin,
    value_max: column.valueMax,
    null_meaning: column.nullMeaning,
    key_metric_grain_contributor: column.grainContributor,
    metric_component: column.metricComponent,
    ...(column.physical === 'timestamptz' ? { time_zone: 'UTC' } : {}),
    ...(column.totalValue === null ? {} : { total_value: column.totalValue }),
    ...(column.headlineValue === null ? {} : { headline_value: column.headlineValue }),
    ...(column.renamedFrom === null ? {} : { renamed_from: column.renamedFrom }),
    ...(isEmpty(column.valueLabels) ? {} : { value_labels: column.valueLabels }),
    ...synonymFields(column.synonyms),
  };
}

function synonymFields(synonyms: readonly Synonym[]): Pick<SchemaDocument, 'synonyms' | 'synonym_languages'> {
  if (synonyms.length === 0) return {};
  const named = synonyms.flatMap(({ word, language }) => (language === null ? [] : [[word, language]]));
  return {
    synonyms: synonyms.map(({ word }) => word),
    ...(named.length > 0 && { synonym_languages: Object.fromEntries(named) }),
  };
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}

/** `home` is the domain of the dimension's route. */
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
