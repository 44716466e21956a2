/** The checks before publication: counts first, then every rule. */
import type { RuleResult } from '../../../build/format/documents.ts';
import { t } from '../messages/messages.ts';
import { formatCount, formatDecimal } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';
import { DataTable } from './text.tsx';

export function QualityReport({ dataset: { quality } }: { readonly dataset: OpenDataset }) {
  const { rules } = quality;
  const count = (result: RuleResult['result']) =>
    formatCount(rules.filter(rule => rule.result === result).length);
  const all = t.counts.rules(rules.length);
  const remarkable = rules.filter(rule => rule.result !== 'passed');
  return (
    <>
      <p>{t.quality.summary(all, count('passed'), count('warned'), count('skipped'))}</p>
      {remarkable.length > 0 && <Rules label={t.quality.remarkable} rules={remarkable} />}
      <details>
        <summary>{t.quality.all(all)}</summary>
        <Rules label={t.quality.allRules} rules={rules} />
      </details>
    </>
  );
}

function Rules({ label, rules }: { readonly label: string; readonly rules: readonly RuleResult[] }) {
  return (
    <DataTable label={label} titles={[t.quality.result, t.quality.rule, t.quality.found, t.quality.about]}>
      {rules.map(rule => (
        <tr key={rule.name}>
          <td>{t.quality[rule.result]}</td>
          <td class="text">
            {rule.description || rule.name}
            <br />
            <code>{rule.name}</code>
            {rule.source === 'derived' && <span class="hint"> {t.quality.derived}</span>}
          </td>
          <td class="number">{rule.found === null ? (rule.reason ?? '') : formatDecimal(rule.found, 6)}</td>
          <td>
            {rule.dimension}
            {rule.column && (
              <>
                <br />
                <code>{rule.column}</code>
              </>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
