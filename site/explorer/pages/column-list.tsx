/** Columns of a dataset: what each means, its unit, what its NULL means, and what values it may have. */
import type { ColumnValues } from '../../../build/format/documents.ts';
import type { ColumnDescriptor } from '../../../build/format/schema.ts';
import { t } from '../messages/messages.ts';
import { describeUnit, formatCount, formatDecimal, spellName } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';
import { Line, DataTable, Paragraphs } from './text.tsx';

/** A longer list of allowed values is folded. */
const SHOWN_VALUES = 8;

const ROLES = ['year', 'time', 'metric', 'categorical'] as const;

export function ColumnList({ dataset }: { readonly dataset: OpenDataset }) {
  const { schema, manifest, values } = dataset;
  const joined = manifest.columns.filter(column => column.from !== null);
  return (
    <>
      <DataTable
        label={t.columns.table}
        titles={[t.columns.column, t.columns.meaning, t.columns.unitAndType, t.columns.nullMeans]}
        kind="stacked"
      >
        {schema.columns.map(column => (
          <tr key={column.name}>
            <th scope="row">
              {column.label}
              <br />
              <code>{column.name}</code>
              {column.name === schema.key_metric && (
                <>
                  <br />
                  <span class="badge">{t.columns.headline}</span>
                </>
              )}
            </th>
            <td class="text">
              <Paragraphs text={column.description || column.short_description} />
              <Allowed column={column} known={values.columns.find(one => one.column === column.name)} />
            </td>
            <td data-label={t.columns.unitAndType}>{describeType(column)}</td>
            <td data-label={t.columns.nullMeans}>{describeNull(column)}</td>
          </tr>
        ))}
      </DataTable>
      {joined.length > 0 && (
        <p>
          <Line
            text={t.columns.joined}
            parts={{
              columns: joined.map(({ name, from }, i) => (
                <>
                  {i > 0 && ', '}
                  <code>{name}</code> ({spellName(from ?? '')})
                </>
              )),
            }}
          />
        </p>
      )}
    </>
  );
}

function describeType({ type, role, unit, value_min, value_max }: ColumnDescriptor): string {
  const known = ROLES.find(one => one === role);
  const joined = role.startsWith('fk_') ? t.columns.codeOf(spellName(role.slice(3))) : role;
  const kind = known === undefined ? joined : t.columns[known];
  const bounds =
    value_min !== null && value_max !== null
      ? t.columns.between(formatDecimal(value_min, 6), formatDecimal(value_max, 6))
      : value_min !== null
        ? t.columns.atLeast(formatDecimal(value_min, 6))
        : value_max !== null
          ? t.columns.atMost(formatDecimal(value_max, 6))
          : null;
  return [describeUnit(unit), bounds, `${kind}, ${type}`].filter(part => part !== null).join('; ');
}

function describeNull({ nullable, null_meaning }: ColumnDescriptor): string {
  if (!nullable) return t.columns.neverNull;
  return null_meaning ?? t.columns.unknownNull;
}

function Allowed(props: { readonly column: ColumnDescriptor; readonly known: ColumnValues | undefined }) {
  const { column, known } = props;
  const names = new Map(known?.values.map(({ value, label }) => [String(value), label]));
  const allowed = column.valid_values;
  if (allowed === null || allowed.length === 0) {
    const count = known?.kind === 'foreign_key' ? known.values.length : 0;
    return count > 0 ? <p class="hint">{t.columns.valuesInData(formatCount(count))}</p> : null;
  }
  const items = (
    <ul class="plain-list">
      {allowed.map(value => (
        <li key={String(value)}>
          <code>{String(value)}</code>
          {names.get(String(value)) && ` ${names.get(String(value))}`}
          {String(value) === column.total_value && ` ${t.columns.isTotal}`}
        </li>
      ))}
    </ul>
  );
  return allowed.length <= SHOWN_VALUES ? (
    <>
      <p class="hint">{t.columns.allowed}</p>
      {items}
    </>
  ) : (
    <details>
      <summary>{t.columns.countAllowed(formatCount(allowed.length))}</summary>
      {items}
    </details>
  );
}
