/** The checks before publication: counts first, then every rule. */
import type { RuleResult } from '../../../build/format/documents.ts';
import { countOf, formatDecimal } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';
import { TableScroll } from './text.tsx';

const RESULTS = { passed: 'passed', warned: 'warning', skipped: 'not run' } as const;

export function QualityReport({ dataset: { quality } }: { readonly dataset: OpenDataset }) {
  const { rules } = quality;
  const count = (result: RuleResult['result']) => rules.filter(rule => rule.result === result).length;
  const remarkable = rules.filter(rule => rule.result !== 'passed');
  return (
    <>
      <p>
        {countOf(rules.length, 'rule')} check these rows. For this release {count('passed')} passed,{' '}
        {count('warned')} gave a warning, and {count('skipped')} could not run. A rule that fails stops the
        publication.
      </p>
      {remarkable.length > 0 && <Rules label="Warnings, and rules that did not run" rules={remarkable} />}
      <details>
        <summary>All {countOf(rules.length, 'rule')}</summary>
        <Rules label="All rules" rules={rules} />
      </details>
    </>
  );
}

function Rules({ label, rules }: { readonly label: string; readonly rules: readonly RuleResult[] }) {
  return (
    <TableScroll label={label}>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Rule</th>
            <th scope="col">Found</th>
            <th scope="col">About</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(rule => (
            <tr key={rule.name}>
              <td>{RESULTS[rule.result]}</td>
              <td class="text">
                {rule.description || rule.name}
                <br />
                <code>{rule.name}</code>
                {rule.source === 'derived' && <span class="hint"> derived from the columns</span>}
              </td>
              <td class="number">
                {rule.found === null ? (rule.reason ?? '') : formatDecimal(rule.found, 6)}
              </td>
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
        </tbody>
      </table>
    </TableScroll>
  );
}
