/**
 * Reads from a parsed contract which years compare (FORMAT.md, `contract.json`), its team, support, service levels and
 * price. Ignores anything of another shape.
 */
import { t } from '../messages/messages.ts';

export interface SeriesBreak {
  /** The last year before the break. */
  readonly after: number;
  readonly reason: string;
  /** Levels with the break; null means all. */
  readonly levels: readonly string[] | null;
}

export interface Comparability {
  /**
   * Years of answers that each figure pools, if more than one. Figures less than that many years apart share answers,
   * so their difference is not a change.
   */
  readonly pooledYears: number | null;
  /** Returns the breaks of a column's series at a level, or at any, ascending, including the dataset's own. */
  breaksOf(column: string, detail?: string): readonly SeriesBreak[];
}

export function parseComparability(contract: unknown): Comparability {
  const table = listOf(field(contract, 'schema'))[0];
  const whole = readProperties(table);
  const own = new Map<string, readonly SeriesBreak[]>();
  for (const property of listOf(field(table, 'properties'))) {
    const name = field(property, 'name');
    if (typeof name === 'string') own.set(name, readBreaks(readProperties(property).get('series_breaks')));
  }
  const everywhere = readBreaks(whole.get('series_breaks'));
  const pooled = whole.get('pooled_years');
  return {
    pooledYears: Number.isSafeInteger(pooled) && Number(pooled) > 1 ? Number(pooled) : null,
    breaksOf: (column, detail) =>
      [...everywhere, ...(own.get(column) ?? [])]
        .filter(({ levels }) => levels === null || detail === undefined || levels.includes(detail))
        .sort((a, b) => a.after - b.after),
  };
}

function readProperties(owner: unknown): ReadonlyMap<string, unknown> {
  const list = listOf(field(owner, 'customProperties'));
  return new Map(list.map(entry => [String(field(entry, 'property')), field(entry, 'value')]));
}

function readBreaks(list: unknown): readonly SeriesBreak[] {
  return listOf(list).flatMap(entry => {
    const after = field(entry, 'after');
    const reason = field(entry, 'reason');
    const levels = field(entry, 'levels');
    return typeof after === 'number' && typeof reason === 'string'
      ? [{ after, reason, levels: Array.isArray(levels) ? levels.map(String) : null }]
      : [];
  });
}

interface ServiceTerm {
  readonly label: string;
  readonly lines: readonly ServiceLine[];
}

interface ServiceLine {
  readonly text: string;
  /** A web or mail address; null without one. */
  readonly link: string | null;
}

/** In the order of the page, without terms that the contract doesn't state. */
export function parseServiceTerms(contract: unknown): readonly ServiceTerm[] {
  const team = field(contract, 'team');
  // In ODCS 3.0, `team` is only the list of members.
  const members = listOf(Array.isArray(team) ? team : field(team, 'members'));
  const present = members.filter(member => textOf(member, 'dateOut') === '');
  const support = listOf(field(contract, 'support'));
  const terms: readonly ServiceTerm[] = [
    {
      label: t.terms.team,
      lines: [...line([textOf(team, 'name'), textOf(team, 'description')]), ...present.flatMap(memberLine)],
    },
    {
      label: t.terms.support,
      lines: support.flatMap(one =>
        line([textOf(one, 'channel'), textOf(one, 'description')], textOf(one, 'url') || null),
      ),
    },
    { label: t.terms.levels, lines: listOf(field(contract, 'slaProperties')).flatMap(levelLine) },
    { label: t.terms.price, lines: priceLine(field(contract, 'price')) },
  ];
  return terms.filter(({ lines }) => lines.length > 0);
}

function memberLine(member: unknown): ServiceLine[] {
  const [name, username, role] = [textOf(member, 'name'), textOf(member, 'username'), textOf(member, 'role')];
  return line([name || username, role], username.includes('@') ? username : null);
}

function levelLine(level: unknown): ServiceLine[] {
  const value = [textOf(level, 'value'), textOf(level, 'valueExt'), textOf(level, 'unit')].filter(Boolean);
  const property = textOf(level, 'property');
  if (property === '' || value.length === 0) return [];
  return line([`${property}: ${[...new Set(value)].join(' ')}`, textOf(level, 'description')]);
}

function priceLine(owner: unknown): ServiceLine[] {
  const [amount, unit] = [textOf(owner, 'priceAmount'), textOf(owner, 'priceUnit')];
  if (amount === '') return [];
  const price = `${amount} ${textOf(owner, 'priceCurrency')}`.trim();
  return line([unit === '' ? price : t.terms.per(price, unit)]);
}

function line(parts: readonly string[], link: string | null = null): ServiceLine[] {
  const text = parts.filter(part => part !== '').join(', ');
  return text === '' ? [] : [{ text, link }];
}

function textOf(owner: unknown, name: string): string {
  const value = field(owner, name);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
