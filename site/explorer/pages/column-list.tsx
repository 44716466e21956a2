/** Columns of a dataset: what each means, its unit, what its NULL means, and what values it may have. */
import type { ColumnValues } from '../../../build/format/documents.ts';
import type { ColumnDescriptor } from '../../../build/format/schema.ts';
import { countOf, describeUnit, formatDecimal, spellName } from '../view/format.ts';
import type { OpenDataset } from './documents.ts';
import { Paragraphs, TableScroll } from './text.tsx';

/** A longer list of allowed values is folded. */
const SHOWN_VALUES = 8;

const ROLES: Readonly<Record<string, string>> = {
  year: 'year',
  time: 'time',
  metric: 'figure',
  categorical: 'category',
};

export function ColumnList({ dataset }: { readonly dataset: OpenDataset }) {
  const { schema, manifest, values } = dataset;
  const joined = manifest.columns.filter(column => column.from !== null);
  return (
    <>
      <TableScroll label="Columns">
        <table class="data stacked">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">What it means</th>
              <th scope="col">Unit and type</th>
              <th scope="col">NULL means</th>
            </tr>
          </thead>
          <tbody>
            {schema.columns.map(column => (
              <tr key={column.name}>
                <th scope="row">
                  {column.label}
                  <br />
                  <code>{column.name}</code>
                  {column.name === schema.key_metric && (
                    <>
                      <br />
                      <span class="badge">headline</span>
                    </>
                  )}
                </th>
                <td class="text">
                  <Paragraphs text={column.description || column.short_description} />
                  <Allowed column={column} known={values.columns.find(one => one.column === column.name)} />
                </td>
                <td data-label="Unit and type">{describeType(column)}</td>
                <td data-label="NULL means">{describeNull(column)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {joined.length > 0 && (
        <p>
          Rows also carry these columns from the tables of places and groups:{' '}
          {joined.map(({ name, from }, i) => (
            <>
              {i > 0 && ', '}
              <code>{name}</code> ({spellName(from ?? '')})
            </>
          ))}
          .
        </p>
      )}
    </>
  );
}

function describeType({ type, role, unit, value_min, value_max }: ColumnDescriptor): string {
  const kind = ROLES[role] ?? (role.startsWith('fk_') ? `code of a ${spellName(role.slice(3))}` : role);
  const bounds =
    value_min !== null && value_max !== null
      ? `${formatDecimal(value_min, 6)} to ${formatDecimal(value_max, 6)}`
      : value_min !== null
        ? `at least ${formatDecimal(value_min, 6)}`
        : value_max !== null
          ? `at most ${formatDecimal(value_max, 6)}`
          : null;
  return [describeUnit(unit), bounds, `${kind}, ${type}`].filter(part => part !== null).join('; ');
}

function describeNull({ nullable, null_meaning }: ColumnDescriptor): string {
  if (!nullable) return 'never NULL';
  return null_meaning ?? 'not known';
}

function Allowed(props: { readonly column: ColumnDescriptor; readonly known: ColumnValues | undefined }) {
  const { column, known } = props;
  const names = new Map(known?.values.map(({ value, label }) => [String(value), label]));
  const allowed = column.valid_values;
  if (allowed === null || allowed.length === 0) {
    const count = known?.kind === 'foreign_key' ? known.values.length : 0;
    return count > 0 ? <p class="hint">{countOf(count, 'value')} in the data.</p> : null;
  }
  const items = (
    <ul class="plain-list">
      {allowed.map(value => (
        <li key={String(value)}>
          <code>{String(value)}</code>
          {names.get(String(value)) && ` ${names.get(String(value))}`}
          {String(value) === column.total_value && ' (the total of all other values)'}
        </li>
      ))}
    </ul>
  );
  return allowed.length <= SHOWN_VALUES ? (
    <>
      <p class="hint">Allowed values:</p>
      {items}
    </>
  ) : (
    <details>
      <summary>{countOf(allowed.length, 'allowed value')}</summary>
      {items}
    </details>
  );
}
