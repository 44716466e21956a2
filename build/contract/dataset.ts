/**
 * What a contract compiles to. Everything downstream (checks, slices, documents) reads these and never the YAML.
 */
import type { ColumnType, Erratum, Scalar, Withdrawal, WithdrawnSlices } from '../format/documents.ts';
import type { ExampleQuery, NullSemantics } from '../format/schema.ts';

/** Where a contract, or a part of it, stands in its file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `fk_<noun>` joins a dimension; `fk_demographic` is one too but is never part of a place. */
export type Role = 'year' | 'categorical' | 'metric' | `fk_${string}`;

export type PhysicalType = 'int' | 'bigint' | 'double' | 'string' | 'boolean';

/** What columns of facts and of dimensions have in common. */
export interface BaseColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly physical: PhysicalType;
  readonly nullable: boolean;
  readonly label: string;
  readonly shortDescription: string;
  readonly description: string;
  /** Allowed values in the contract's order; NULL is allowed besides them where the column is nullable. */
  readonly validValues: readonly Scalar[] | null;
  readonly example: Scalar | null;
  readonly place: Place;
}

export interface Column extends BaseColumn {
  readonly role: Role;
  readonly unit: string | null;
  readonly valueMin: number | null;
  readonly valueMax: number | null;
  readonly nullMeaning: string | null;
  readonly grainContributor: boolean;
  readonly metricComponent: string | null;
  /** The value that stands for the axis's total, normally `all`; null where the axis has none. */
  readonly totalValue: string | null;
}

export interface DimensionColumn extends BaseColumn {
  readonly role: 'key' | 'attribute';
  /** A mapping where the contract states one. */
  readonly linkKey: boolean | Readonly<Record<string, unknown>>;
}

export type Severity = 'error' | 'warning';

/** How the number that a rule's query returns is judged. */
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
  /** The last of `columns`: after it the join's attribute columns stand in the rows. */
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

/** What datasets and dimensions have in common. */
export interface BaseContract {
  readonly domain: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly rules: readonly Rule[];
  readonly schemaHash: string;
  readonly source: ContractSource;
  /** Null where it is served. */
  readonly withdrawal: Withdrawal | null;
}

/** The contract as it was read. */
export interface ContractSource extends Place {
  /** The file's bytes, published verbatim as contract.yaml. */
  readonly text: string;
  /** The parsed document as JSON, published as contract.json: few ever ask for it, and a text is sooner read than a tree. */
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
  /** Who made the figures; null where the contract does not say. */
  readonly creator: string | null;
  readonly updateFrequency: string | null;
  readonly explorer: boolean | null;
  readonly granularityDescription: string;
  /** Years that the contract promises, ascending; gaps and what is withdrawn are taken out. */
  readonly years: readonly number[];
  readonly yearGaps: readonly number[];
  readonly levels: readonly string[];
  readonly defaultLevel: string;
  /** Years in which a level is promised, where that is not all years. */
  readonly levelYears: ReadonlyMap<string, readonly number[]>;
  /** Nullable place columns that rows of a level have, or not: see `deriveLevelKeys`. */
  readonly levelKeys: ReadonlyMap<string, LevelKeys>;
  readonly pathTemplate: string;
  readonly columns: readonly Column[];
  readonly grain: readonly string[];
  readonly keyMetric: string | null;
  readonly nullSemantics: NullSemantics;
  readonly foreignKeys: readonly ForeignKey[];
  /** The grain's foreign-key columns other than the demographic, in grain order. */
  readonly placeColumns: readonly string[];
  readonly exampleQueries: readonly ExampleQuery[];
  /** Newest first. */
  readonly errata: readonly Erratum[];
  /** Years and levels that it does not promise any more; newest first. */
  readonly withdrawnSlices: readonly WithdrawnSlices[];
}

/** Which place columns a level's rows have. */
export interface LevelKeys {
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

export interface Dimension extends BaseContract {
  readonly kind: 'dimension';
  /** `<name>` for a global one, `<domain>/<name>` for a domain's own. */
  readonly key: string;
  readonly name: string;
  readonly scope: 'global' | 'domain';
  /** Path in the lake of its Parquet file, relative. */
  readonly path: string;
  readonly columns: readonly DimensionColumn[];
  readonly primaryKey: readonly string[];
  readonly attributeColumns: readonly string[];
  /** As the contract states it: names of columns, or a publisher's own notes on them. */
  readonly linkKeys: unknown;
  readonly semantics: unknown;
}

/** Who publishes: `publisher.yaml` beside the contracts, or what can be said without it. */
export interface Publisher {
  readonly service: string;
  readonly description: string;
  readonly license: string | null;
  readonly licenseUrl: string | null;
  readonly attribution: string | null;
  readonly documentation: string | null;
  readonly contact: string | null;
  /** Of titles and descriptions, as BCP 47 has it, such as `en`. */
  readonly language: string | null;
  /** Address beneath which a host keeps every release by its name; null where none does. */
  readonly releases: string | null;
}

/** A contract that is right, and neither served nor withdrawn. */
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
  /** What was served once: no rows of it are read. */
  readonly withdrawn: {
    readonly datasets: readonly Dataset[];
    readonly dimensions: readonly Dimension[];
  };
  /** Whose status is another: drafts, and what was retired without being withdrawn. */
  readonly inactive: readonly InactiveContract[];
}
