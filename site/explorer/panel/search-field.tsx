/** A field of many values, which the reader finds by name or code. */
import { t } from '../messages/messages.ts';
import type { Choice, ExploredDataset, Field } from '../view/dataset.ts';
import { formatCount } from '../view/format.ts';
import { type Question, withPlace, withValues } from '../view/question.ts';
import { chosenChoices, describeKeys, findChoices } from '../view/search.ts';
import { ChipSearch } from './chip-search.tsx';

interface SearchFieldProps {
  readonly dataset: ExploredDataset;
  readonly field: Field;
  readonly question: Question;
  onQuestion(question: Question): void;
}

const MOST_FOUND = 30;

export function SearchField({ dataset, field, question, onQuestion }: SearchFieldProps) {
  const { param, label, choices } = field;
  const chosen = chosenChoices(field, question.filters);
  const isShared = ({ label: name }: Choice) => chosen.filter(one => one.label === name).length > 1;
  const keyOf = ({ keys, value }: Choice) => JSON.stringify([keys, value]);
  const without = ({ value }: Choice) => (question.filters.get(param) ?? []).filter(one => one !== value);
  return (
    <ChipSearch
      id={`explore-${param}`}
      label={label}
      placeholder={chosen.length === 0 ? t.panel.allValues : t.panel.addValue}
      state={question}
      find={text =>
        findChoices(field, question.filters, text, MOST_FOUND).map(choice => ({
          choice,
          key: keyOf(choice),
          name: choice.label,
          hint: describeKeys(choice, dataset.fields),
        }))
      }
      onTake={({ choice }) => onQuestion(withPlace(dataset, question, param, choice))}
      chips={chosen.map(choice => {
        const hint = describeKeys(choice, dataset.fields);
        return {
          key: keyOf(choice),
          text: isShared(choice) ? `${choice.label} (${hint})` : choice.label,
          action: t.panel.remove(`${choice.label}, ${hint}`),
          onRemove: () => onQuestion(withValues(dataset, question, param, without(choice))),
        };
      })}
    >
      {chosen.length === 0 && <span class="hint">{t.panel.toChoose(formatCount(choices.length))}</span>}
    </ChipSearch>
  );
}
