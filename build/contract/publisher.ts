/** Compiles `publisher.yaml`. */
import * as Type from 'typebox';
import { type Of, optional } from '../format/document-schemas.ts';
import type { Publisher } from './dataset.ts';
import type { Problems } from './problems.ts';
import { checkShape } from './shape.ts';
import type { Shape } from './validator.ts';

/** Searches can find it. */
const WORD = '[\\p{L}\\p{N}]';

const text = optional(Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'a text' }));

const SCHEMA = Type.Object(
  {
    service: text,
    description: text,
    license: text,
    license_url: text,
    attribution: text,
    documentation: text,
    contact: text,
    language: optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
        description: 'a language tag such as en or pt-BR',
      }),
    ),
    area: text,
    releases: text,
    synonyms: optional(
      Type.Unsafe<Readonly<Record<string, string | readonly string[]>> | null>({
        type: ['object', 'null'],
        description: "a mapping of readers' words to the words that the data uses",
        additionalProperties: {
          type: ['string', 'array'],
          pattern: WORD,
          minItems: 1,
          items: { type: 'string', pattern: WORD, description: 'a text with a letter or a digit' },
          description: 'a text with a letter or a digit, or a list of such texts',
        },
      }),
    ),
  },
  { additionalProperties: false },
);
type PublisherDocument = Of<typeof SCHEMA>;

export const PUBLISHER_SHAPE: Shape = { name: 'publisher', errors: 'all', schema: SCHEMA };

const DESCRIPTION = 'Public data as files: JSON, CSV and Parquet, described by data contracts.';

export function isPublisherFile(file: string): boolean {
  return /(?:^|[\\/])publisher\.ya?ml$/.test(file);
}

/** Returns null, with problems, if a key is unknown or a value isn't a text. */
export function compilePublisher(
  value: unknown,
  tenants: readonly string[],
  problems: Problems,
): Publisher | null {
  const document = (value ?? {}) as PublisherDocument;
  checkShape(PUBLISHER_SHAPE, document, path => path, problems);
  return problems.failed ? null : publisherOf(document, tenants);
}

/** An empty document gives the defaults. The service is called like the contracts' tenant if there is only one. */
export function publisherOf(document: PublisherDocument, tenants: readonly string[]): Publisher {
  // A blank text counts as absent.
  const stated = (key: Exclude<keyof PublisherDocument, 'synonyms'>) =>
    document[key]?.trim() ? document[key] : null;
  const [tenant, ...others] = new Set(tenants);
  return {
    service: stated('service') ?? (others.length === 0 ? tenant : undefined) ?? 'Civic Data Service',
    description: stated('description') ?? DESCRIPTION,
    license: stated('license'),
    licenseUrl: stated('license_url'),
    attribution: stated('attribution'),
    documentation: stated('documentation'),
    contact: stated('contact'),
    language: stated('language'),
    area: stated('area'),
    releases: stated('releases'),
    synonyms: Object.fromEntries(
      Object.entries(document.synonyms ?? {}).map(([phrase, meant]) => [phrase.trim(), [meant].flat()]),
    ),
  };
}
