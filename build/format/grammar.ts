/**
 * The row parameters that don't come from a column. Request parsing, reserved names and lists of parameters
 * all use this list, on rewriting hosts too.
 */
import { ANSWER_FORMATS, PAGE_ROWS } from './documents.ts';

interface Named {
  readonly name: string;
  /** Which rows have it: those with years, those of datasets, or all. `past` asks for earlier releases. */
  readonly of: 'time' | 'dataset' | 'rows' | 'past';
}

export type Rule = Named &
  (
    | { readonly kind: 'integer'; readonly least?: number; readonly mostOnPage?: number }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'level' }
    | { readonly kind: 'moment' }
    /** A column that has figures. */
    | { readonly kind: 'measure' }
  );

const RULES = [
  { name: 'year', of: 'time', kind: 'integer' },
  { name: 'year_min', of: 'time', kind: 'integer' },
  { name: 'year_max', of: 'time', kind: 'integer' },
  { name: 'detail', of: 'dataset', kind: 'level' },
  { name: 'limit', of: 'rows', kind: 'integer', least: 1, mostOnPage: PAGE_ROWS },
  { name: 'offset', of: 'rows', kind: 'integer', least: 0 },
  { name: 'format', of: 'rows', kind: 'choice', choices: ANSWER_FORMATS },
  { name: 'as_of', of: 'past', kind: 'moment' },
  { name: 'history', of: 'past', kind: 'choice', choices: ['true'] },
  { name: 'figure', of: 'past', kind: 'measure' },
] as const satisfies readonly Rule[];

export const GRAMMAR: readonly Rule[] = RULES;

/** The parameters that every table has; schema documents list the others. */
export type PlainName = Extract<(typeof RULES)[number], { of: 'rows' | 'past' }>['name'];

export type PlainRule = Exclude<Rule, { kind: 'level' }> & { readonly name: PlainName };

// CloudFront limits its function's size; the mark lets a bundle drop this if it isn't used.
export const PLAIN_RULES = /* @__PURE__ */ GRAMMAR.filter(
  (rule): rule is PlainRule => rule.of === 'rows' || rule.of === 'past',
);
