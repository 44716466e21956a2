/** Tells, in one note for each contract, what the build takes for granted. */
import { type Diagnostic, diagnosticAt } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import { inert } from './quoting.ts';

/** How many tables a note tells about; `civic validate` counts the others. */
const NAMED = 5;

export function guessNote({ guesses, failed, placeOf }: Problems): Diagnostic[] {
  if (failed || guesses.size === 0) return [];
  const tables = [...guesses].filter(([table]) => table !== null);
  const own = guesses.get(null) ?? [];
  const parts = [
    ...(own.length > 0 ? [own.join('; ')] : []),
    ...tables
      .slice(0, NAMED)
      .map(([table, list]) => `${tables.length > 1 || own.length > 0 ? `${table}: ` : ''}${list.join('; ')}`),
    ...(tables.length > NAMED ? [`and so for ${tables.length - NAMED} more tables`] : []),
  ];
  const message = `what the contract leaves open is guessed. ${parts.join('. ')}. State what is wrong`;
  return [diagnosticAt(placeOf([]), 'note', 'contract-guesses', inert(message))];
}
