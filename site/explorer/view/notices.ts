/** Warnings for readers who add or compare the rows of a question. */
import type { ExploredDataset, Field } from './dataset.ts';
import { isOpen, oneYear, type Question, type ViewName } from './question.ts';

/** Returns sentences, the most important first; none if no rows overlap. */
export function composeNotices(dataset: ExploredDataset, question: Question, view: ViewName): string[] {
  const notices = dataset.fields.flatMap(field =>
    field.kind === 'axis' && isOpen(question, field) ? (describeAxis(question, field) ?? []) : [],
  );
  const { pooledYears } = dataset.comparability;
  // A chart has this among its own notes.
  if (view !== 'chart' && pooledYears !== null && oneYear(question.years) === null) {
    notices.push(describePooling(pooledYears));
  }
  return notices;
}

export function describePooling(years: number): string {
  return (
    `Each figure pools ${years} years of answers. Figures less than ${years} years apart share answers, ` +
    'so their difference is not a yearly change.'
  );
}

function describeAxis({ filters }: Question, field: Field): string | null {
  const { param, label, choices, total, overlap } = field;
  const values = filters.get(param) ?? choices.map(choice => choice.value);
  if (values.length < 2) return null;
  const nameOf = (value: string) => choices.find(choice => choice.value === value)?.label ?? value;
  if (total !== null && values.includes(total)) {
    return `${label}: the rows show the total, “${nameOf(total)}”, beside its parts. Adding them counts the same twice.`;
  }
  const categories = new Set(values.map(value => overlap?.categoryOf.get(value) ?? value));
  if (overlap && categories.size > 1) {
    return `${label}: the rows are of more than one ${overlap.label.toLowerCase()}, and such groups overlap. Adding them counts the same twice.`;
  }
  if (overlap) return null;
  return total === null
    ? `${label}: the rows are of several kinds, and no total joins them. Read each on its own; do not add them.`
    : `${label}: the rows are of several values. Add them only where the dataset’s notes say that they do not overlap.`;
}
