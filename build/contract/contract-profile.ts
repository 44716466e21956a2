/**
 * The part of ODCS 3.0 to 3.2 that this service reads. Other keys are allowed: a contract may say more than this
 * service needs.
 */
import * as Type from 'typebox';
import {
  choice,
  FLAG,
  type Of,
  optional,
  SCALAR,
  SCALAR_OR_NULL,
  type Scalar,
  TEXT,
} from '../format/document-schemas.ts';
import type { Shape } from './validator.ts';

const customProperties = Type.Array(Type.Object({ property: TEXT, value: optional(Type.Unknown()) }));

/** A rule's operator is another key, `mustBe…`. */
export const RULE = Type.Object({
  name: optional(TEXT),
  type: optional(TEXT),
  metric: optional(TEXT),
  /** Deprecated name of `metric`. */
  rule: optional(TEXT),
  query: optional(TEXT),
  description: optional(TEXT),
  dimension: optional(TEXT),
  severity: optional(TEXT),
  unit: optional(TEXT),
  arguments: optional(
    Type.Object({
      validValues: optional(Type.Array(SCALAR_OR_NULL)),
      missingValues: optional(Type.Array(SCALAR_OR_NULL)),
      pattern: optional(TEXT),
      properties: optional(Type.Array(TEXT)),
    }),
  ),
});

/** From ODCS 3.2 on, like `enum`, `semanticType` and `context`. */
const synonyms = Type.Array(Type.Object({ synonym: TEXT, locale: optional(TEXT) }));

/** A text is short for `instructions`. */
const context = Type.Unsafe<string | RawContext>({
  type: ['string', 'object'],
  properties: {
    instructions: TEXT,
    constraints: Type.Array(Type.Object({ constraint: TEXT })),
    verifiedStatements: Type.Array(Type.Object({ question: TEXT, answer: optional(TEXT) })),
  },
});
interface RawContext {
  readonly instructions?: string;
  readonly constraints?: readonly { readonly constraint: string }[];
  readonly verifiedStatements?: readonly { readonly question: string; readonly answer?: string }[];
}

export const COLUMN = Type.Object({
  name: TEXT,
  businessName: optional(TEXT),
  synonyms: optional(synonyms),
  semanticType: optional(choice('column', 'measure', 'dimension')),
  logicalType: optional(TEXT),
  physicalType: optional(TEXT),
  required: optional(FLAG),
  unique: optional(FLAG),
  logicalTypeOptions: optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  description: optional(TEXT),
  examples: optional(Type.Unsafe<readonly unknown[]>({ type: 'array' })),
  primaryKey: optional(FLAG),
  primaryKeyPosition: optional(Type.Integer()),
  relationships: optional(
    Type.Array(
      Type.Object({
        to: optional(Type.Unsafe<string | readonly string[]>({ type: ['string', 'array'], items: TEXT })),
      }),
    ),
  ),
  /** An entry without a value allows NULL. */
  enum: optional(
    Type.Array(
      Type.Unsafe<Scalar | null | { readonly value?: Scalar; readonly label?: string }>({
        type: ['string', 'number', 'boolean', 'null', 'object'],
        properties: { value: SCALAR, label: TEXT },
      }),
    ),
  ),
  quality: optional(Type.Array(RULE)),
  customProperties: optional(customProperties),
});

export const TABLE = Type.Object({
  name: TEXT,
  businessName: optional(TEXT),
  synonyms: optional(synonyms),
  tags: optional(Type.Array(TEXT)),
  description: optional(TEXT),
  context: optional(context),
  dataGranularityDescription: optional(TEXT),
  properties: optional(Type.Array(COLUMN)),
  quality: optional(Type.Array(RULE)),
  customProperties: optional(customProperties),
});

const DESCRIPTION = Type.Object({
  purpose: optional(TEXT),
  usage: optional(TEXT),
  limitations: optional(TEXT),
});

const SERVICE_LEVEL = Type.Object({
  property: optional(TEXT),
  value: optional(Type.Unknown()),
  unit: optional(TEXT),
});

export const CONTRACT = Type.Object({
  apiVersion: optional(TEXT),
  id: optional(TEXT),
  name: optional(TEXT),
  version: optional(TEXT),
  status: optional(TEXT),
  domain: optional(TEXT),
  tenant: optional(TEXT),
  tags: optional(Type.Array(TEXT)),
  description: optional(DESCRIPTION),
  context: optional(context),
  slaProperties: optional(Type.Array(SERVICE_LEVEL)),
  customProperties: optional(customProperties),
  schema: optional(Type.Array(TABLE)),
});

export const CONTRACT_SHAPE: Shape = { name: 'contract', errors: 'all', schema: CONTRACT };

/**
 * What remains of a contract without the parts that don't fit: any key may be absent, and an entry of a list may be
 * null, so that the places of later entries stay valid.
 */
type Raw<Value> = Value extends readonly (infer Item)[]
  ? readonly (Item extends object ? Raw<Item> | null : Item)[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Raw<Value[Name]> }
    : Value;

export type RawContract = Raw<Of<typeof CONTRACT>>;
export type RawObject = Raw<Of<typeof TABLE>>;
export type RawProperty = Raw<Of<typeof COLUMN>>;
export type RawRule = Raw<Of<typeof RULE>>;
export type RawCustomProperty = Raw<Of<typeof customProperties>[number]>;
