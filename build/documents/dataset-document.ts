/** What the register of a dataset's documents lists, and what a document can be rendered from. */
import { documentText } from '../catalog/document-text.ts';
import type { Dataset } from '../contract/dataset.ts';
import type { ApiDocument } from '../catalog/openapi-document.ts';
import type { ColumnValues, RuleResult, Stamp } from '../format/documents.ts';
import type { SchemaDocument } from '../format/schema.ts';
import type { StatisticsDocument } from '../format/statistics.ts';

/** A dataset whose rows are written. */
export interface MadeDataset {
  readonly dataset: Dataset;
  readonly stamp: Stamp;
  readonly schema: SchemaDocument;
  /** Results of the checks. */
  readonly rules: readonly RuleResult[];
  readonly values: readonly ColumnValues[];
  /** Levels that have rows, sorted. */
  readonly levels: readonly string[];
  readonly statisticsOf: (detail: string) => Promise<StatisticsDocument>;
}

/** A document that every dataset has, or every level of a dataset. */
export interface DatasetDocument {
  /** The path of a level's document holds the level's name. */
  readonly path: (domain: string, topic: string, detail: string) => string;
  readonly of: 'dataset' | 'level';
  /** Absent if the dataset always has it. */
  readonly when?: (made: MadeDataset) => boolean;
  /** A JSON Schema; null for texts of the publisher. */
  readonly schema: object | null;
  /** How openapi.json describes it; absent if it is no part of the API. */
  readonly api?: Omit<ApiDocument, 'schema'>;
  /** An object is written as JSON. `detail` is empty for a document of the dataset. */
  readonly render: (made: MadeDataset, detail: string) => string | object | Promise<object>;
}

/** The text of what `render` gives. */
export function textOf(document: string | object): string {
  return typeof document === 'string' ? document : documentText(document);
}
