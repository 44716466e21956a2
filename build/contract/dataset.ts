/** What a contract compiles to. Everything downstream (checks, slices, documents) reads these types, never the YAML. */

import type {
  DatasetQuestion,
  ExampleQuery,
  LinkNote,
  NullSemantics,
  ColumnType,
  Erratum,
  Scalar,
  TimeUnit,
  Withdrawal,
  WithdrawnSlices,
} from '../format/documents.ts';

/** The place of a contract, or of a part of it, in its file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * A column with a role `fk_<noun>` joins a dimension. `fk_demographic` joins one too but is never part of a place. An
 * `attribute` describes a row, as free text or a coordinate does: it is neither a measure nor a filter.
 */
export type Role = 'year' | 'time' | 'categorical' | 'metric' | 'attribute' | `fk_${string}`;

/** `timestamptz` holds moments in UTC, `timestamp` those of a clock that the contract does not name. */
export type PhysicalType =
  | 'int'
  | 'bigint'
  | 'double'
  | 'string'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz';

/** How files write the values of a column as text; null for what the contract leaves to the values. */
export interface TextForm {
  /** Before the fraction of a number, and between its thousands. A space is any space. */
  readonly decimal: '.' | ',' | null;
  readonly group: '.' | ',' | ' ' | "'" | null;
  /** A pattern that `parseTimeFormat` reads. */
  readonly format: string | null;
  /** The time zone of texts without an offset; UTC if null. */
  readonly zone: string | null;
}

/** What columns of facts and of dimensions have in common. */
export interface BaseColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly physical: PhysicalType;
  /** Present if the lake stores the column's texts as numbers or times. */
  readonly ofOthers?: true;
  readonly nullable: boolean;
  /** Values of the lake that are read as NULL. */
  readonly missingValues: readonly (string | number)[];
  readonly form: TextForm;
  readonly label: string;
  readonly shortDescription: string;
  readonly description: string;
  /** Allowed values in the contract's order. A nullable column may also be NULL. */
  readonly validValues: readonly Scalar[] | null;
  /** Words for values; empty if the contract gives none. */
  readonly valueLabels: Readonly<Record<string, string>>;
  /** The column's name in earlier releases; null if the contract states none. */
  readonly renamedFrom: string | null;
  readonly example: Scalar | null;
  readonly place: Place;
}

export interface Column extends BaseColumn {
  readonly role: Role;
  /** Whether the build guessed the role because the contract does not state it. */
  readonly guessed: boolean;
  readonly unit: string | null;
  readonly valueMin: number | null;
  readonly valueMax: number | null;
  readonly nullMeaning: string | null;
  readonly grainContributor: boolean;
  readonly metricComponent: string | null;
  /** The value that marks the total of the axis, usually `all`; null if the axis has no total. */
  readonly totalValue: string | null;
  /** The time column from which a build derives this year column; null if the lake has the column. */
  readonly derivedFrom: string | null;
  /** The value of an axis without a total at which the key figure is shown; null if the contract names none. */
  readonly headlineValue: string | null;
  /** Other words by which people look for the column. */
  readonly synonyms: readonly string[];
}

export interface DimensionColumn extends BaseColumn {
  readonly role: 'key' | 'attribute';
  /** The publisher's own note if the contract states one. */
  readonly linkKey: boolean | LinkNote;
}

export type Severity = 'error' | 'warning';

/** The numbers that a rule accepts from its query. */
export type Expectation =
  | { readonly operator: 'mustBe' | 'mustNotBe'; readonly value: number }
  | {
      readonly operator:
        | 'mustBeGreaterThan'
        | 'mustBeGreaterOrEqualTo'
        | 'mustBeLessThan'
        | 'mustBeLessOrEqualTo';
      readonly value: number;
    }
  | { readonly operator: 'mustBeBetween' | 'mustNotBeBetween'; readonly low: number; readonly high: number };

/** A quality rule that the contract states. `invalidValues` with a list becomes the column's `validValues`. */
export interface Rule {
  readonly name: string;
  readonly description: string;
  /** ODCS quality dimension: completeness, conformity, accuracy, consistency, uniqueness, coverage, timeliness. */
  readonly dimension: string;
  readonly severity: Severity;
  readonly column: string | null;
  readonly measure:
    | { readonly kind: 'sql'; readonly query: string }
    | {
        readonly kind: 'nullValues' | 'missingValues' | 'duplicateValues';
        readonly columns: readonly string[];
      }
    | { readonly kind: 'invalidValues'; readonly values: readonly Scalar[] }
    | { readonly kind: 'rowCount' };
  readonly expectation: Expectation;
  readonly place: Place;
}

export interface ForeignKey {
  /** The last of `columns`. In the rows, the join's attribute columns follow it. */
  readonly column: string;
  /** The dataset's columns that the join compares, in the order of `targetColumns`. */
  readonly columns: readonly string[];
  readonly targetObject: string;
  /** The dimension's whole primary key. */
  readonly targetColumns: readonly string[];
  readonly attributeColumns: readonly string[];
  readonly scope: 'global' | 'domain';
  /** Key of the dimension in `Contracts.dimensions`. */
  readonly dimension: string;
  readonly place: Place;
}

/** How to find the table in a file that is not just a table; empty for what the file itself tells. */
export interface FileLayout {
  /** The sheet of a workbook. */
  readonly sheet?: string;
  /** The line with the names of columns, counted from 1; the last one if there are several. */
  readonly header_line?: number;
  readonly header_lines?: number;
  /** Rows that begin with one of these texts, or have it as a value, are left out. An empty list: none is. */
  readonly skip_rows?: readonly string[];
  /** Whether rows, columns and cells that a workbook does not show are read. Undefined: they are not, with a warning. */
  readonly hidden?: 'skip' | 'read';
  /**
   * Columns that the file has once for each year, and how it writes their names: `{year}` stands for four digits. Each
   * row becomes one for each year.
   */
  readonly year_columns?: Readonly<Record<string, string>>;
}

/** What datasets and dimensions have in common. */
interface BaseContract {
  readonly domain: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly rules: readonly Rule[];
  readonly fileLayout: FileLayout;
  readonly schemaHash: string;
  readonly source: ContractSource;
  /** Whether the contract is written for this service: see `isNative`. */
  readonly native: boolean;
  /** Null unless the whole contract is withdrawn. */
  readonly withdrawal: Withdrawal | null;
}

/** The contract as it was read. */
export interface ContractSource extends Place {
  /** The document's own part of the file. */
  readonly text: string;
  /** The same as it is published, as contract.yaml: see `publication`. */
  readonly published: string;
  /** The parsed document as JSON text, published as contract.json. */
  readonly json: string;
}

export interface Dataset extends BaseContract {
  readonly kind: 'dataset';
  /** `<domain>/<topic>` */
  readonly key: string;
  readonly topic: string;
  readonly subTopic: string;
  readonly summary: string;
  readonly purpose: string;
  readonly usage: string;
  readonly limitations: string;
  readonly tags: readonly string[];
  readonly dataSource: string | null;
  readonly dataSourceUrl: string | null;
  /** The office that produced the figures; null if the contract does not name it. */
  readonly creator: string | null;
  readonly updateFrequency: string | null;
  readonly explorer: boolean | null;
  readonly granularityDescription: string;
  readonly time: DatasetTime;
  /** What the contract leaves to the lake. Until the lake is read, these lists are empty: see `completeDataset`. */
  readonly open: { readonly years: boolean; readonly levels: boolean };
  /** Years that the contract promises, ascending, without gaps and withdrawn years. */
  readonly years: readonly number[];
  readonly yearGaps: readonly number[];
  readonly levels: readonly string[];
  readonly defaultLevel: string;
  /** Years of each level that the contract does not promise for all years. */
  readonly levelYears: ReadonlyMap<string, readonly number[]>;
  /** For each level, the nullable place columns that its rows fill or leave NULL: see `deriveLevelKeys`. */
  readonly levelKeys: ReadonlyMap<string, LevelKeys>;
  readonly pathTemplate: string;
  readonly columns: readonly Column[];
  /** Columns that the contract has and the build leaves out. Files of the lake may have them. */
  readonly leftOut: readonly string[];
  readonly grain: readonly string[];
  /** Whether the contract states no grain, so that rows may share it. */
  readonly grainGuessed: boolean;
  /** The order of rows: the grain, and all other columns too if the grain is a guess that rows may not keep. */
  readonly order: readonly string[];
  readonly keyMetric: string | null;
  readonly nullSemantics: NullSemantics;
  readonly foreignKeys: readonly ForeignKey[];
  /** The grain's foreign-key columns other than the demographic, in grain order. */
  readonly placeColumns: readonly string[];
  readonly exampleQueries: readonly ExampleQuery[];
  /** Other words by which people look for the dataset. */
  readonly synonyms: readonly string[];
  readonly questions: readonly DatasetQuestion[];
  /** Name of the area that the whole's rows describe, if it is another than the publisher's; null if not. */
  readonly area: string | null;
  /** Newest first. */
  readonly errata: readonly Erratum[];
  /** Percentage of a published slice's rows that a release may lose; null for the build's own limit. */
  readonly rowLossLimit: number | null;
  /** Years and levels that the contract no longer promises; newest first. */
  readonly withdrawnSlices: readonly WithdrawnSlices[];
}

/** The time of a dataset's rows. */
export interface DatasetTime {
  readonly unit: TimeUnit;
  /** The column with the period or the moment: of role `time`, else of role `year`; null without time. */
  readonly column: string | null;
  /** The column with the year, which the build may derive; null without time. */
  readonly yearColumn: string | null;
}

/** The nullable place columns that a level's rows fill, and those that they leave NULL. */
export interface LevelKeys {
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

export interface Dimension extends BaseContract {
  readonly kind: 'dimension';
  /** `<name>` for a global dimension, `<domain>/<name>` for a domain's own. */
  readonly key: string;
  readonly name: string;
  readonly scope: 'global' | 'domain';
  /** Path of its Parquet file, relative to the lake. */
  readonly path: string;
  readonly columns: readonly DimensionColumn[];
  readonly leftOut: readonly string[];
  readonly primaryKey: readonly string[];
  readonly attributeColumns: readonly string[];
  /** As the contract states them: names of columns, or the publisher's own notes on them. */
  readonly linkKeys: unknown;
  readonly semantics: unknown;
  /** Columns with the degrees of each place; null if it has none. */
  readonly coordinates: Coordinates | null;
  /** The property of boundaries that holds the key; null to find it. */
  readonly boundaryKey: string | null;
  /** Key of the dataset from which a build draws the rows; null if the lake has a file of them. */
  readonly rowsOf: string | null;
}

export interface Coordinates {
  readonly latitude: string;
  readonly longitude: string;
}

/** The publisher, from `publisher.yaml` next to the contracts, or defaults without that file. */
export interface Publisher {
  readonly service: string;
  readonly description: string;
  readonly license: string | null;
  readonly licenseUrl: string | null;
  readonly attribution: string | null;
  readonly documentation: string | null;
  readonly contact: string | null;
  /** Language of titles and descriptions as a BCP 47 tag, such as `en`. */
  readonly language: string | null;
  /** Name of the area that the rows of the whole describe, such as a state; null if the publisher does not say. */
  readonly area: string | null;
  /** Address of the folder in which a host keeps every release by name; null if no host does. */
  readonly releases: string | null;
  /** Readers' words, each with the words of the data that it stands for. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
}

/** A valid contract that is neither published nor withdrawn. */
export interface InactiveContract {
  readonly kind: 'dataset' | 'dimension';
  readonly key: string;
  readonly status: string;
  readonly place: Place;
}

/** All contracts of a folder. Datasets are sorted by key, dimensions too. */
export interface Contracts {
  readonly publisher: Publisher;
  readonly datasets: readonly Dataset[];
  readonly dimensions: ReadonlyMap<string, Dimension>;
  /** Contracts that used to be published. A build does not read their rows. */
  readonly withdrawn: {
    readonly datasets: readonly Dataset[];
    readonly dimensions: readonly Dimension[];
  };
  /** Drafts, and contracts that were retired without `withdrawn`. */
  readonly inactive: readonly InactiveContract[];
}
