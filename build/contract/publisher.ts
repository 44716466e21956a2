/** Compiles `publisher.yaml`. */
import type { Publisher } from './dataset.ts';
import { quote } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import { checkShape } from './shape.ts';
import type { Shape } from './validator.ts';

/** A text that a search can find. */
const WORD = '[\\p{L}\\p{N}]';

const text = { type: ['string', 'null'], description: 'a text' };

export const PUBLISHER_SHAPE: Shape = {
  name: 'publisher',
  errors: 'all',
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      service: text,
      description: text,
      license: text,
      license_url: text,
      attribution: text,
      documentation: text,
      contact: text,
      language: {
        type: ['string', 'null'],
        pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
        description: 'a language tag such as en or pt-BR',
      },
      area: text,
      releases: text,
      synonyms: {
        type: ['object', 'null'],
        description: "a mapping of readers' words to the words that the data uses",
        additionalProperties: {
          type: ['string', 'array'],
          pattern: WORD,
          minItems: 1,
          items: { type: 'string', pattern: WORD, description: 'a text with a letter or a digit' },
          description: 'a text with a letter or a digit, or a list of such texts',
        },
      },
    },
  },
};

interface PublisherDocument {
  readonly service?: string | null;
  readonly description?: string | null;
  readonly license?: string | null;
  readonly license_url?: string | null;
  readonly attribution?: string | null;
  readonly documentation?: string | null;
  readonly contact?: string | null;
  readonly language?: string | null;
  readonly area?: string | null;
  readonly releases?: string | null;
  readonly synonyms?: Readonly<Record<string, string | readonly string[]>> | null;
}

const DESCRIPTION = 'Public data as files: JSON, CSV and Parquet, described by data contracts.';

/** Whether a file, in any folder, is the publisher's document. */
export function isPublisherFile(file: string): boolean {
  return /(?:^|[\\/])publisher\.ya?ml$/.test(file);
}

/** Compiles `publisher.yaml`. Returns null, with problems, if a key is unknown or its value is not a text. */
export function compilePublisher(
  value: unknown,
  tenants: readonly string[],
  problems: Problems,
): Publisher | null {
  checkShape(PUBLISHER_SHAPE, value ?? {}, path => path, problems);
  if (problems.failed) return null;
  const document = (value ?? {}) as PublisherDocument;
  const synonyms = compileSynonyms(document.synonyms ?? {}, problems);
  if (problems.failed) return null;
  // A blank text counts as absent.
  const stated = (key: Exclude<keyof PublisherDocument, 'synonyms'>) =>
    document[key]?.trim() ? document[key] : null;
  const { service, description } = defaultPublisher(tenants);
  return {
    service: stated('service') ?? service,
    description: stated('description') ?? description,
    license: stated('license'),
    licenseUrl: stated('license_url'),
    attribution: stated('attribution'),
    documentation: stated('documentation'),
    contact: stated('contact'),
    language: stated('language'),
    area: stated('area'),
    releases: stated('releases'),
    synonyms,
  };
}

/** Searches ignore case, so two spellings that differ by it alone are one entry twice. */
function compileSynonyms(
  stated: NonNullable<PublisherDocument['synonyms']>,
  problems: Problems,
): Publisher['synonyms'] {
  const known = new Map<string, string>();
  for (const [phrase, meant] of Object.entries(stated)) {
    const path = ['synonyms', phrase];
    const folded = phrase.trim().toLowerCase();
    const other = known.get(folded);
    if (!/[\p{L}\p{N}]/u.test(phrase))
      problems.atKey(
        'error',
        path,
        'synonym-empty',
        `${quote(phrase)} has no letter and no digit: nobody can search for it`,
      );
    if (other !== undefined)
      problems.atKey(
        'error',
        path,
        'synonym-twice',
        `${quote(phrase)} is ${quote(other)} once more: put what both mean into one list`,
      );
    if ([meant].flat().some(one => one.trim().toLowerCase() === folded))
      problems.error(
        path,
        'synonym-of-itself',
        `${quote(phrase)} means itself: name the words that the data uses`,
      );
    known.set(folded, phrase);
  }
  return Object.fromEntries(Object.entries(stated).map(([phrase, meant]) => [phrase.trim(), [meant].flat()]));
}

/**
 * The defaults without a publisher's document. The service takes the name of the contracts' tenant if there is only
 * one.
 */
export function defaultPublisher(tenants: readonly string[]): Publisher {
  const [tenant, ...others] = new Set(tenants);
  return {
    service: tenant !== undefined && others.length === 0 ? tenant : 'Civic Data Service',
    description: DESCRIPTION,
    license: null,
    licenseUrl: null,
    attribution: null,
    documentation: null,
    contact: null,
    language: null,
    area: null,
    releases: null,
    synonyms: {},
  };
}
