/** What a contract compiles to. Everything downstream reads these types, never the YAML. */
import type {
  ColumnType,
  DatasetContext,
  DatasetQuestion,
  Erratum,
  ExampleQuery,
  LinkNote,
  NullSemantics,
  Scalar,
  TimeUnit,
  Withdrawal,
  WithdrawnSlices,
} from '../format/documents.ts';
import type { FileLayout } from './custom-profile.ts';

/** Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * A column with a role `fk_<noun>` joins a dimension. `fk_demographic` also joins one but is never part of a
 * place. An `attribute` describes a row: free text or a coordinate, neither a measure nor a filter.
 */
export type Role = 'year' | 'time' | 'categorical' | 'metric' | 'attribute' | `fk_${string}`;

/** `timestamptz` is in UTC; `timestamp` is local time of an unknown zone. */
export type PhysicalType =
  | 'int'
  | 'bigint'
  | 'double'
  | 'string'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz';

/** How files write a column's values as text; null where the values decide. */
export interface TextForm {
  /** The decimal mark and the thousands separator. A space stands for any space. */
  readonly decimal: '.' | ',' | null;
  readonly group: '.' | ',' | ' ' | "'" | null;
  readonly format: string | null;
  /** The time zone of texts without an offset; UTC if null. */
  readonly zone: string | null;
}

export interface BaseColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly physical: PhysicalType;
  /** The lake stores the column's texts as numbers or times. */
  readonly ofOthers?: true;
  readonly nullable: boolean;
  /** Values that are read as NULL. */
  readonly missingValues: readonly (string | number)[];
  readonly form: TextForm;
  readonly label: string;
  readonly shortDescription: string;
  readonly description: string;
  /** In the contract's order. A nullable column may also be NULL. */
  readonly validValues: readonly Scalar[] | null;
  readonly valueLabels: Readonly<Record<string, string>>;
  /** The column's name in earlier releases; null if it never changed. */
  readonly renamedFrom: string | null;
  readonly example: Scalar | null;
  readonly place: Place;
}

export interface Column extends BaseColumn {
  readonly role: Role;
  /** Whether the build guessed the role. */
  readonly guessed: boolean;
  readonly unit: string | null;
  readonly valueMin: number | null;
  readonly valueMax: number | null;
  readonly nullMeaning: string | null;
  readonly grainContributor: boolean;
  readonly metricComponent: string | null;
  /** Marks the total of the axis, usually `all`; null if it has none. */
  readonly totalValue: string | null;
  /** The time column that the build derives this year column from; null for a column of the lake. */
  readonly derivedFrom: string | null;
  /** The value of an axis without a total at which the key figure is shown; null if not stated. */
  readonly headlineValue: string | null;
  readonly synonyms: readonly Synonym[];
}

/** Another word that people search for. */
export interface Synonym {
  readonly word: string;
  /** BCP 47 tag; null if the contract states none. */
  readonly language: string | null;
}

export interface DimensionColumn extends BaseColumn {
  readonly role: 'key' | 'attribute';
  readonly linkKey: boolean | LinkNote;
}

export type Severity = 'error' | 'warning';

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

/** A quality rule as stated. `invalidValues` with a list becomes the column's `validValues`. */
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
  /** The last of `columns`. In published rows, the join's attributes follow it. */
  readonly column: string;
  /** In the order of `targetColumns`. */
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

interface BaseContract {
  readonly domain: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly rules: readonly Rule[];
  readonly fileLayout: FileLayout;
  readonly schemaHash: string;
  readonly source: ContractSource;
  /** See `isNative`. */
  readonly native: boolean;
  /** Null unless the whole contract is withdrawn. */
  readonly withdrawal: Withdrawal | null;
}

export interface ContractSource extends Place {
  /** This document's part of the file. */
  readonly text: string;
  /** Published as contract.yaml: see `publication`. */
  readonly published: string;
  /** The parsed document, published as contract.json. */
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
  /** The office that produced the figures. */
  readonly creator: string | null;
  readonly updateFrequency: string | null;
  readonly explorer: boolean | null;
  readonly granularityDescription: string;
  readonly time: DatasetTime;
  /**
   * Whether the lake decides the years or the levels. Until the lake is read, the lists are empty: see
   * `completeDataset`.
   */
  readonly open: { readonly years: boolean; readonly levels: boolean };
  /** Promised years, ascending, without gaps and withdrawn years. */
  readonly years: readonly number[];
  readonly yearGaps: readonly number[];
  readonly levels: readonly string[];
  readonly defaultLevel: string;
  /** Only levels that don't have all years. */
  readonly levelYears: ReadonlyMap<string, readonly number[]>;
  /** See `deriveLevelKeys`. */
  readonly levelKeys: ReadonlyMap<string, LevelKeys>;
  readonly pathTemplate: string;
  readonly columns: readonly Column[];
  /** Columns that the build leaves out. The lake's files may have them. */
  readonly leftOut: readonly string[];
  readonly grain: readonly string[];
  /** The contract states no grain, so rows may share it. */
  readonly grainGuessed: boolean;
  /** Sort order of rows: the grain, then all other columns if the grain is guessed. */
  readonly order: readonly string[];
  readonly keyMetric: string | null;
  readonly nullSemantics: NullSemantics;
  readonly foreignKeys: readonly ForeignKey[];
  /** The grain's foreign keys without the demographic, in grain order. */
  readonly placeColumns: readonly string[];
  readonly exampleQueries: readonly ExampleQuery[];
  readonly synonyms: readonly Synonym[];
  /** What language models are told; null if the contract doesn't tell them anything. */
  readonly context: DatasetContext | null;
  readonly questions: readonly DatasetQuestion[];
  /** Name of the area that the top level describes, if it isn't the publisher's. */
  readonly area: string | null;
  /** Newest first. */
  readonly errata: readonly Erratum[];
  /** Percentage of a published slice's rows that a release may lose; null for the default. */
  readonly rowLossLimit: number | null;
  /** Newest first. */
  readonly withdrawnSlices: readonly WithdrawnSlices[];
}

export interface DatasetTime {
  readonly unit: TimeUnit;
  /** The column of role `time`, otherwise of role `year`; null without time. */
  readonly column: string | null;
  /** The build may derive it; null without time. */
  readonly yearColumn: string | null;
}

/** The nullable place columns that a level's rows fill, and those that are NULL. */
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
  /** Its Parquet file, relative to the lake. */
  readonly path: string;
  readonly columns: readonly DimensionColumn[];
  readonly leftOut: readonly string[];
  readonly primaryKey: readonly string[];
  readonly attributeColumns: readonly string[];
  /** As stated: names of columns, or the publisher's own notes. */
  readonly linkKeys: unknown;
  readonly semantics: unknown;
  /** Columns with degrees. */
  readonly coordinates: Coordinates | null;
  /** The property of boundaries that holds the key; null to search for it. */
  readonly boundaryKey: string | null;
  /** Key of the dataset that provides the rows; null if the lake has a file. */
  readonly rowsOf: string | null;
}

export interface Coordinates {
  readonly latitude: string;
  readonly longitude: string;
}

/** From `publisher.yaml` next to the contracts, or defaults. */
export interface Publisher {
  readonly service: string;
  readonly description: string;
  readonly license: string | null;
  readonly licenseUrl: string | null;
  readonly attribution: string | null;
  readonly documentation: string | null;
  readonly contact: string | null;
  /** BCP 47 tag, such as `en`. */
  readonly language: string | null;
  /** Name of the area that the top level describes, such as a state. */
  readonly area: string | null;
  /** Address of the folder in which a host keeps every release; null if none does. */
  readonly releases: string | null;
  /** Readers' words, each with the words of the data that it means. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
}

/** A valid contract that is neither published nor withdrawn. */
export interface InactiveContract {
  readonly kind: 'dataset' | 'dimension';
  readonly key: string;
  readonly status: string;
  readonly place: Place;
}

/** Sorted by key. */
export interface Contracts {
  readonly publisher: Publisher;
  readonly datasets: readonly Dataset[];
  readonly dimensions: ReadonlyMap<string, Dimension>;
  /** Contracts that used to be published. Their rows aren't read. */
  readonly withdrawn: {
    readonly datasets: readonly Dataset[];
    readonly dimensions: readonly Dimension[];
  };
  /** Drafts, and contracts retired without `withdrawn`. */
  readonly inactive: readonly InactiveContract[];
}
