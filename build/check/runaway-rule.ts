/** What happens where a rule's SQL takes memory faster than DuckDB can be stopped: only the command can end then. */
import type { Place } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';

let end: (diagnostic: Diagnostic) => void = () => undefined;

/** Names who ends the process: the command line, which prints the diagnostic first. */
export function onRunawayRule(act: (diagnostic: Diagnostic) => void): void {
  end = act;
}

export const TOO_MUCH_MEMORY =
  'The query took far more memory than --memory allows and was stopped. Make it simpler.';

export function endRunawayRule(name: string, place: Place): void {
  end(diagnosticAt(place, 'error', 'rule-no-answer', `Rule ${name}: ${TOO_MUCH_MEMORY}`));
}
