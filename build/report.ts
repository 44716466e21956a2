/** Events that the stages report. Only cli/ decides what to show. */
import type { SubjectOutcome } from './check/check.ts';
import type { DatasetDisclosure } from './check/disclosure.ts';
import type { Diagnostic } from './contract/diagnostic.ts';

export type BuildEvent =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'warnings'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'notices'; readonly outcomes: readonly SubjectOutcome[] }
  | { readonly kind: 'disclosure'; readonly datasets: readonly DatasetDisclosure[] }
  | {
      readonly kind: 'progress';
      readonly stage:
        | 'fetch'
        | 'read'
        | 'table'
        | 'check'
        | 'disclosure'
        | 'slice'
        | 'verify'
        | 'compare'
        | 'snapshot'
        | 'bag';
      readonly done: number;
      readonly total: number;
      readonly what: string;
    };

export type Reporter = (event: BuildEvent) => void;
