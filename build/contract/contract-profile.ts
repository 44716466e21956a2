/**
 * The part of ODCS v3.1 that this service reads, as types and as a JSON Schema. Other keys are allowed: a contract may
 * say more than this service needs. A key without a value counts as absent. A malformed list entry is read as null,
 * so that the rest of the contract can still be checked.
 */
import type { Scalar } from '../format/documents.ts';
import type { Shape } from './validator.ts';

export interface RawContract {
  readonly apiVersion?: string;
  readonly id?: string;
  readonly name?: string;
  readonly version?: string;
  readonly status?: string;
  readonly domain?: string;
  readonly tenant?: string;
  readonly tags?: readonly string[];
  readonly description?: {
    readonly purpose?: string;
    readonly usage?: string;
    readonly limitations?: string;
  };
  readonly customProperties?: readonly (RawCustomProperty | null)[];
  readonly schema?: readonly (RawObject | null)[];
}

export interface RawCustomProperty {
  readonly property?: string;
  readonly value?: unknown;
}

/** An entry of `schema`: a table. */
export interface RawObject {
  readonly name?: string;
  readonly businessName?: string;
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly dataGranularityDescription?: string;
  readonly properties?: readonly (RawProperty | null)[];
  readonly quality?: readonly (RawRule | null)[];
  readonly customProperties?: readonly (RawCustomProperty | null)[];
}

/** A column. */
export interface RawProperty {
  readonly name?: string;
  readonly businessName?: string;
  readonly logicalType?: string;
  readonly physicalType?: string;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly logicalTypeOptions?: Readonly<Record<string, unknown>>;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly primaryKey?: boolean;
  readonly primaryKeyPosition?: number;
  readonly relationships?: readonly ({ readonly to?: string | readonly string[] } | null)[];
  /** Standard from ODCS 3.2. */
  readonly enum?: readonly (Scalar | null | { readonly value?: Scalar })[];
  readonly quality?: readonly (RawRule | null)[];
  readonly customProperties?: readonly (RawCustomProperty | null)[];
}

/** A quality rule. Its operator is another key, `mustBe…`. */
export interface RawRule {
  readonly name?: string;
  readonly type?: string;
  readonly metric?: string;
  /** Deprecated name of `metric`. */
  readonly rule?: string;
  readonly query?: string;
  readonly description?: string;
  readonly dimension?: string;
  readonly severity?: string;
  readonly unit?: string;
  readonly arguments?: {
    readonly validValues?: readonly (Scalar | null)[];
    readonly missingValues?: readonly (Scalar | null)[];
    readonly pattern?: string;
    readonly properties?: readonly string[];
  };
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };
const scalars = {
  type: 'array',
  items: { type: ['string', 'number', 'boolean', 'null'] },
};

const customProperties = {
  type: 'array',
  items: { type: 'object', required: ['property'], properties: { property: text } },
};

const quality = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: text,
      type: text,
      metric: text,
      rule: text,
      query: text,
      description: text,
      dimension: text,
      severity: text,
      unit: text,
      arguments: {
        type: 'object',
        properties: { validValues: scalars, missingValues: scalars, pattern: text, properties: texts },
      },
    },
  },
};

const property = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    businessName: text,
    logicalType: text,
    physicalType: text,
    required: flag,
    unique: flag,
    logicalTypeOptions: { type: 'object' },
    description: text,
    examples: { type: 'array' },
    primaryKey: flag,
    primaryKeyPosition: { type: 'integer' },
    relationships: {
      type: 'array',
      items: { type: 'object', properties: { to: { type: ['string', 'array'], items: text } } },
    },
    enum: {
      type: 'array',
      items: {
        type: ['string', 'number', 'boolean', 'null', 'object'],
        required: ['value'],
        properties: { value: { type: ['string', 'number', 'boolean'] } },
      },
    },
    quality,
    customProperties,
  },
};

const object = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    businessName: text,
    tags: texts,
    description: text,
    dataGranularityDescription: text,
    properties: { type: 'array', items: property },
    quality,
    customProperties,
  },
};

export const CONTRACT_SHAPE: Shape = {
  name: 'contract',
  errors: 'all',
  schema: {
    type: 'object',
    properties: {
      apiVersion: text,
      id: text,
      name: text,
      version: text,
      status: text,
      domain: text,
      tenant: text,
      tags: texts,
      description: { type: 'object', properties: { purpose: text, usage: text, limitations: text } },
      customProperties,
      schema: { type: 'array', items: object },
    },
  },
};
