/** The schemas and types of documents about the service and its datasets, and of answers. FORMAT.md has an example of each. */
import * as Type from 'typebox';
import {
  COUNT,
  choice,
  constant,
  DATE,
  FILTER_KIND,
  KEY,
  listOf,
  mapOf,
  NUMBER_OR_NULL,
  note,
  type Of,
  optional,
  orNull,
  SCALAR,
  STAMP,
  shape,
  TEXT,
  TEXT_OR_NULL,
  TIME_UNIT,
  TREE_STAMP,
  TRUE,
  YEAR,
  YEAR_OR_NULL,
} from './schema-parts.ts';

/** `index.json` */
export const ServiceDocument = shape({
  ...TREE_STAMP,
  service: note(TEXT, 'Name of the service.'),
  description: TEXT,
  version: note(TEXT, 'Version of the API.'),
  api_root: note(TEXT, 'Path with which every data route begins.'),
  license: TEXT_OR_NULL,
  license_url: TEXT_OR_NULL,
  attribution: TEXT_OR_NULL,
  documentation: TEXT_OR_NULL,
  contact: TEXT_OR_NULL,
  language: optional(note(TEXT, 'Language of titles and descriptions, as a BCP 47 tag.')),
  synonyms: optional(
    note(mapOf(listOf(TEXT)), "Readers' words, each with the words of the data that it stands for."),
  ),
  datasets: note(TEXT, 'Link to the list of datasets. This link and the following ones are relative.'),
  health: TEXT,
  manifest: TEXT,
  checksums: TEXT,
  urls: TEXT,
  openapi: TEXT,
  duckdb: TEXT,
});
export type ServiceDocument = Of<typeof ServiceDocument>;

export const RuleCounts = shape({
  run: COUNT,
  passed: COUNT,
  warned: COUNT,
  skipped: note(COUNT, "Number of rules that could not run; the dataset's quality.json says why."),
});
export type RuleCounts = Of<typeof RuleCounts>;

/** `healthz.json` */
export const HealthDocument = shape({
  ...TREE_STAMP,
  status: constant('ok'),
  date: note(DATE, 'Date of the release.'),
  datasets: COUNT,
  dimensions: COUNT,
  rows: note(COUNT, 'Number of fact rows in all slices.'),
  rules: RuleCounts,
});
export type HealthDocument = Of<typeof HealthDocument>;

/** What the list of datasets and a dataset's schema document say alike. */
export const IDENTITY = {
  main_topic: note(TEXT, 'Domain of the dataset.'),
  sub_topic: TEXT,
  topic: note(TEXT, 'Name of the dataset within its domain.'),
  key: KEY,
  title: TEXT,
  summary: TEXT,
  version: note(TEXT, 'Version of the data contract.'),
  year_min: YEAR_OR_NULL,
  year_max: YEAR_OR_NULL,
  year_gaps: note(listOf(YEAR), 'Years between the first and the last that have no data.'),
  available_years: listOf(YEAR),
  detail_levels: listOf(TEXT),
  default_detail: TEXT,
  coverage_note: optional(
    note(TEXT, 'Years and levels of the release; absent if it has all that are promised.'),
  ),
  key_metric: note(TEXT_OR_NULL, 'The most important metric; null if the contract names none.'),
  update_frequency: TEXT_OR_NULL,
  schema_hash: TEXT,
  endpoint: note(TEXT, 'Path of the rows.'),
};

export const DatasetSummary = shape({
  ...IDENTITY,
  time_unit: optional(note(TIME_UNIT, 'What one row is about; absent if it is a year.')),
  rows: COUNT,
  schema_endpoint: note(TEXT, 'Path of the schema document.'),
});
export type DatasetSummary = Of<typeof DatasetSummary>;

/** When and why something was withdrawn, and what to use instead. */
export const WITHDRAWAL = {
  withdrawn: DATE,
  reason: TEXT,
  replacement: note(TEXT_OR_NULL, 'main_topic/topic of a dataset, an address, or null.'),
};
const Withdrawal = shape(WITHDRAWAL);
export type Withdrawal = Of<typeof Withdrawal>;

/** A withdrawn dataset in the list of datasets. */
export const WithdrawnSummary = shape({
  key: note(TEXT, 'main_topic/topic, as paths and manifests name a dataset.'),
  title: TEXT,
  schema_endpoint: TEXT,
  ...WITHDRAWAL,
});
export type WithdrawnSummary = Of<typeof WithdrawnSummary>;

/** `api/v1/datasets/index.json` */
export const DatasetsDocument = shape({
  ...TREE_STAMP,
  count: note(COUNT, 'Number of datasets, without withdrawn ones.'),
  datasets: listOf(DatasetSummary),
  withdrawn: optional(listOf(WithdrawnSummary)),
});
export type DatasetsDocument = Of<typeof DatasetsDocument>;

export const ColumnValue = shape({
  value: SCALAR,
  label: note(TEXT_OR_NULL, "The dimension's or the contract's name for the value; null if it has none."),
  rows: note(COUNT, 'Number of rows in all years and levels.'),
  years: listOf(YEAR),
  // Such as {"district_code": "601"}.
  keys: optional(note(mapOf(SCALAR), 'The other columns of a composite key.')),
});
export type ColumnValue = Of<typeof ColumnValue>;

const ColumnValues = shape({
  param: note(TEXT, 'Name of the query parameter.'),
  column: TEXT,
  label: TEXT,
  kind: FILTER_KIND,
  values: listOf(ColumnValue),
});
export type ColumnValues = Of<typeof ColumnValues>;

/** `api/v1/{domain}/{topic}/values.json` */
export const ValuesDocument = shape({ ...STAMP, dataset: TEXT, columns: listOf(ColumnValues) });
export type ValuesDocument = Of<typeof ValuesDocument>;

const RuleResult = shape({
  name: TEXT,
  source: note(
    choice('contract', 'derived'),
    "contract: the contract states the rule; derived: it follows from the contract's columns.",
  ),
  column: TEXT_OR_NULL,
  description: TEXT,
  dimension: TEXT,
  severity: choice('error', 'warning'),
  query: note(TEXT_OR_NULL, "The contract's SQL; null for derived rules."),
  result: note(
    choice('passed', 'warned', 'skipped'),
    'Never failed, because a failed error stops the build.',
  ),
  found: note(
    NUMBER_OR_NULL,
    'How many rows break the rule, or the number that its SQL returned; null if it was skipped.',
  ),
  reason: optional(TEXT),
});
export type RuleResult = Of<typeof RuleResult>;

/** `api/v1/{domain}/{topic}/quality.json` */
export const QualityDocument = shape({ ...STAMP, dataset: TEXT, rules: listOf(RuleResult) });
export type QualityDocument = Of<typeof QualityDocument>;

/** Years or levels that a dataset no longer has. */
export const WithdrawnSlices = shape({
  date: DATE,
  reason: TEXT,
  replacement: note(TEXT_OR_NULL, 'A dataset or an address to use instead; null if none.'),
  years: note(listOf(YEAR), 'Withdrawn years; an empty list means all years of the levels.'),
  levels: note(listOf(TEXT), 'Withdrawn levels; an empty list means all levels of the years.'),
  forget: optional(note(TRUE, 'Present if the rows are taken out of the memory too.')),
});
export type WithdrawnSlices = Of<typeof WithdrawnSlices>;

/** Replaces the schema document of a withdrawn dataset or dimension. */
export const WithdrawalDocument = shape({
  ...STAMP,
  ...WITHDRAWAL,
  status: constant('withdrawn'),
  key: note(TEXT, 'domain/topic, or domain/_dimensions/name.'),
  title: TEXT,
  version: TEXT,
});
export type WithdrawalDocument = Of<typeof WithdrawalDocument>;

/** A mistake in published data. An empty list means that the erratum names none in particular. */
const Erratum = shape({
  date: DATE,
  wrong: TEXT,
  corrected: TEXT,
  releases: note(listOf(TEXT), 'Releases of the tree that contain the mistake.'),
  years: listOf(YEAR),
  levels: listOf(TEXT),
  columns: listOf(TEXT),
  forget: optional(note(TRUE, 'Present if the earlier rows are taken out of the memory.')),
});
export type Erratum = Of<typeof Erratum>;

/** `api/v1/{domain}/{topic}/errata.json`, if the contract has errata. */
export const ErrataDocument = shape({
  ...STAMP,
  dataset: TEXT,
  errata: note(listOf(Erratum), 'Newest first.'),
});
export type ErrataDocument = Of<typeof ErrataDocument>;

const HEAD = {
  version: TEXT,
  schema_hash: TEXT,
  release: TEXT,
  license: TEXT_OR_NULL,
  attribution: TEXT_OR_NULL,
  sample: STAMP.sample,
  as_of: optional(note(TEXT, 'The moment that the request names; absent for rows of today.')),
};

const PAGE = {
  offset: COUNT,
  limit: COUNT,
  count: note(COUNT, 'Number of rows on this page.'),
  next: note(TEXT_OR_NULL, 'URL of the next page; null on the last page.'),
  notices: listOf(TEXT),
};

/** Head of a page of fact rows; FORMAT.md has the order. After `notices` follows `data`, with one row object per line. */
export const FactEnvelope = shape({
  dataset: TEXT,
  ...HEAD,
  detail: TEXT,
  years: listOf(YEAR),
  filters: mapOf(listOf(TEXT)),
  total: note(orNull(COUNT), 'Number of rows of the whole answer; null if counting them would need a scan.'),
  ...PAGE,
});
export type FactEnvelope = Of<typeof FactEnvelope>;

/** Head of a page of dimension rows. */
export const DimensionEnvelope = shape({
  dimension: TEXT,
  ...HEAD,
  total: note(COUNT, 'Number of rows of the whole answer.'),
  ...PAGE,
});
export type DimensionEnvelope = Of<typeof DimensionEnvelope>;

/** Body of a 404, 410, 405, 501 or 502. */
export const ErrorDocument = shape({ detail: TEXT });
export type ErrorDocument = Of<typeof ErrorDocument>;

export const ValidationProblem = shape({
  type: note(TEXT, 'Kind of the problem, such as enum.'),
  loc: note(listOf(TEXT), 'Location of the problem: query, then the parameter.'),
  msg: TEXT,
  input: note(Type.Unknown(), 'The given value.'),
  ctx: note(mapOf(Type.Unknown()), 'The expected values, the nearest valid name, and the corrected URL.'),
});
export type ValidationProblem = Of<typeof ValidationProblem>;

/** Body of a 422, as FastAPI writes it. */
export const ValidationErrorDocument = shape({ detail: listOf(ValidationProblem) });
export type ValidationErrorDocument = Of<typeof ValidationErrorDocument>;
