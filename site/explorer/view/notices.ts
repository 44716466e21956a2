/** Warnings for readers who add or compare the rows of a question. */
import { t } from '../messages/messages.ts';
import type { ExploredDataset, Field } from './dataset.ts';
import { isOpen, oneYear, type Question, type ViewName } from './question.ts';

/** Returns sentences, the most important first; none if no rows overlap. */
export function composeNotices(dataset: ExploredDataset, question: Question, view: ViewName): string[] {
  const labels = new Map<string, string[]>();
  for (const field of dataset.fields) {
    const warning = field.kind === 'axis' && isOpen(question, field) ? describeAxis(question, field) : null;
    if (warning !== null) labels.set(warning, [...(labels.get(warning) ?? []), field.label]);
  }
  const notices = [...labels].map(([warning, fields]) => `${fields.join(', ')}: ${warning}`);
  const { pooledYears } = dataset.comparability;
  // A chart has this among its own notes.
  if (view !== 'chart' && pooledYears !== null && oneYear(question.years) === null) {
    notices.push(t.notices.pooling(pooledYears));
  }
  return notices;
}

/** Warns of an axis, without its name: axes with the same warning share one notice. */
function describeAxis({ filters }: Question, { param, choices, total, overlap }: Field): string | null {
  const values = filters.get(param) ?? choices.map(choice => choice.value);
  if (values.length < 2) return null;
  const nameOf = (value: string) => choices.find(choice => choice.value === value)?.label ?? value;
  if (total !== null && values.includes(total)) {
    return t.notices.total(nameOf(total));
  }
  const categories = new Set(values.map(value => overlap?.categoryOf.get(value) ?? value));
  if (overlap && categories.size > 1) {
    return t.notices.overlap(overlap.label.toLowerCase());
  }
  if (overlap) return null;
  return total === null ? t.notices.noTotal : t.notices.several;
}
