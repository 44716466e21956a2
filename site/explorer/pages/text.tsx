/** Renders contract text, always escaped, and only web and mail addresses as links; and tables, facts and code. */
import { type ComponentChildren, Fragment } from 'preact';

/** The link of a web or mail address; null for any other text. */
function hrefOf(text: string | null): string | null {
  if (text === null) return null;
  const address = text.trim();
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(address)) return `mailto:${address}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** A link if `to` is an address, else only the text. */
export function Link({ to, text }: { readonly to: string | null; readonly text: string }) {
  const href = hrefOf(to);
  return href === null ? <>{text}</> : <a href={href}>{text}</a>;
}

/** Splits a text into paragraphs at empty lines. */
export function Paragraphs({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/\n\s*\n/)
        .filter(part => part.trim() !== '')
        .map(part => (
          <p key={part}>
            <Line text={part} />
          </p>
        ))}
    </>
  );
}

interface LineProps {
  readonly text: string;
  readonly parts?: Readonly<Record<string, ComponentChildren>>;
}

/** Renders text. Backticks mark code; `{name}` is replaced by an element of `parts`. */
export function Line({ text, parts = {} }: LineProps) {
  const render = (piece: string) => {
    const name = piece.slice(1, -1);
    if (piece.length > 2 && piece.startsWith('`')) return <code>{name}</code>;
    return piece.startsWith('{') && Object.hasOwn(parts, name) ? parts[name] : piece;
  };
  return <>{text.split(/(`[^`]+`|\{\w+\})/).map(render)}</>;
}

interface DataTableProps {
  /** The table's name for keyboards and screen readers. */
  readonly label: string;
  readonly titles: readonly string[];
  /** Columns of numbers, and of long texts, from 0. */
  readonly numbers?: readonly number[];
  readonly texts?: readonly number[];
  /** More classes of the table. */
  readonly kind?: string;
  /** The cells of each row, the first of which names it. */
  readonly rows: readonly (readonly (ComponentChildren | Absent)[])[];
  /** More attributes of a row. */
  rowProps?(row: number): object;
}

/** What a cell without a value says. */
interface Absent {
  readonly absent: ComponentChildren;
}

function isAbsent(cell: ComponentChildren | Absent): cell is Absent {
  return typeof cell === 'object' && cell !== null && 'absent' in cell;
}

/** A table that scrolls sideways if it is wide. */
export function DataTable({
  label,
  titles,
  numbers = [],
  texts = [],
  kind = '',
  rows,
  rowProps,
}: DataTableProps) {
  const classOf = (at: number) => (numbers.includes(at) ? 'number' : texts.includes(at) ? 'text' : undefined);
  return (
    <section class="table-scroll" aria-label={label} tabindex={0}>
      <table class={`data ${kind}`.trim()}>
        <thead>
          <tr>
            {titles.map((title, at) => (
              <th key={title} scope="col" class={numbers.includes(at) ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={row} {...rowProps?.(row)}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td
                  key={i}
                  class={isAbsent(cell) ? `${classOf(i + 1)} null` : classOf(i + 1)}
                  data-label={kind.includes('stacked') && !texts.includes(i + 1) ? titles[i + 1] : undefined}
                >
                  {isAbsent(cell) ? cell.absent : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Fact = readonly [name: string, ...values: ComponentChildren[]];

/** Leaves out null. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl class="facts">
      {facts.map(
        fact =>
          fact && (
            <Fragment key={fact[0]}>
              <dt>{fact[0]}</dt>
              {fact.slice(1).map((value, i) => (
                <dd key={i}>{value}</dd>
              ))}
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** Stands for the tree's address in code until a script inserts it. */
export const UNKNOWN_ADDRESS = 'https://example.org/';

interface CodeProps {
  readonly label: string;
  /** `ADDRESS` stands for the tree's address, ending in a slash. */
  readonly code: string;
  /** The tree's address; null if unknown. */
  readonly address: string | null;
  readonly kind: string;
}

/** A private use character, since no language escapes it. */
export const ADDRESS = '\ue000';

/** A block of code. A script adds a button that copies it. */
export function Code({ label, code, address, kind }: CodeProps) {
  const parts = code.split(ADDRESS);
  return (
    <div class="code with-copy" data-kind={kind} data-label={label}>
      <pre tabindex={0}>
        <code>
          {parts.map((part, i) => (
            <>
              {i > 0 && (address ?? <span class="tree-address">{UNKNOWN_ADDRESS}</span>)}
              {part}
            </>
          ))}
        </code>
      </pre>
    </div>
  );
}
