/** Keeps the view of an answer in the address, beside its statement. */
import type { AnswerChoice } from '../../view/sql-dataset.ts';

/** A member is null until the reader chooses; the label is empty if none is wanted. */
export type AnswerState = { readonly view: 'table' | 'chart' | 'bars' } & {
  readonly [Name in keyof AnswerChoice]: string | null;
};

const CHOICES = ['figure', 'label', 'time'] as const;

export function readAnswerState(): AnswerState {
  const read = new URLSearchParams(location.hash.slice(1));
  const view = read.get('view');
  return {
    view: view === 'chart' || view === 'bars' ? view : 'table',
    figure: read.get('figure'),
    label: read.get('label'),
    time: read.get('time'),
  };
}

/** Replaces the view in the address, and keeps the statement. */
export function writeAnswerState(state: AnswerState): void {
  const written = new URLSearchParams(location.hash.slice(1));
  if (state.view === 'table') written.delete('view');
  else written.set('view', state.view);
  for (const name of CHOICES) {
    const value = state[name];
    if (value === null) written.delete(name);
    else written.set(name, value);
  }
  history.replaceState(null, '', `#${written}`);
}
