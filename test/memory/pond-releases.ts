/** A publisher whose releases correct, add, withdraw and rename at random: the frogs of ponds that do not exist. */
import { readdir, rm } from 'node:fs/promises';
import { type PublisherFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';

/** A source of numbers from 0 up to and without 1, the same for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Row {
  readonly pond: string | null;
  readonly kind: string;
  readonly frogs: number | null;
  readonly weight: number | null;
  readonly note: string | null;
}

interface Withdrawal {
  readonly year: number;
  readonly level: string | null;
  readonly forget: boolean;
}

export const LEVELS = ['ponds', 'land'] as const;
export const PONDS = ['p1', 'p2', 'p3', 'p4', ' é', '𝒳'];
export const KINDS = ['all', 'green', 'brown'];
/** Names of the column of counts, one after another. */
const COUNTS = ['frogs', 'frog_count', 'amphibians'];

/** The publisher at one moment. */
export class Ponds {
  /** Rows by `year/level`. */
  readonly slices = new Map<string, Row[]>();
  readonly names = new Map(PONDS.map(pond => [pond, `Pond ${pond}`]));
  readonly withdrawn: Withdrawal[] = [];
  years = [2020, 2021, 2022];
  version = 1;
  /** The name of the column of counts, and the one before. */
  count = 'frogs';
  private countBefore: string | null = null;
  private published = 'frogs';
  hasNote = true;
  /** Whether weights are whole numbers. */
  whole = false;
  kindFirst = false;
  erratum: string | null = null;

  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
    for (const year of this.years) this.fill(year);
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)]!;
  }

  private fill(year: number, only: string | null = null): void {
    for (const level of LEVELS) {
      if (only !== null && only !== level) continue;
      const ponds = level === 'ponds' ? PONDS : [null];
      this.slices.set(
        `${year}/${level}`,
        ponds.flatMap(pond => KINDS.map(kind => ({ pond, kind, ...this.values() }))),
      );
    }
  }

  private values(): Omit<Row, 'pond' | 'kind'> {
    return {
      frogs: this.random() < 0.1 ? null : Math.floor(this.random() * 1000),
      weight: this.random() < 0.2 ? null : Math.floor(this.random() * 1000) / (this.whole ? 1 : 8),
      note: this.random() < 0.7 ? null : this.pick(['', 'a "note", with a comma', 'frösche', '\t']),
    };
  }

  /** One change; returns what it was. */
  change(): string {
    const changes: Readonly<Record<string, () => void>> = {
      correct: () => {
        const [name, rows] = this.pick([...this.slices]);
        this.slices.set(
          name,
          rows.map(row => (this.random() < 0.4 ? { ...row, ...this.values() } : row)),
        );
        this.erratum = `${name} was wrong.`;
      },
      remove: () => {
        const [name, rows] = this.pick([...this.slices]);
        const kept = rows.filter(() => this.random() < 0.7);
        this.slices.set(name, kept.length === 0 ? rows : kept);
      },
      add: () => {
        const [name, rows] = this.pick([...this.slices]);
        const ponds = name.endsWith('ponds') ? PONDS : [null];
        const all = ponds.flatMap(pond => KINDS.map(kind => ({ pond, kind, ...this.values() })));
        const has = (one: Row) => rows.some(row => row.pond === one.pond && row.kind === one.kind);
        this.slices.set(name, [...rows, ...all.filter(one => !has(one) && this.random() < 0.6)]);
      },
      addYear: () => {
        const year = Math.max(...this.years) + 1;
        this.years.push(year);
        this.version++;
        this.fill(year);
      },
      withdraw: () => {
        const left = [...new Set([...this.slices.keys()].map(name => Number(name.split('/')[0])))];
        if (left.length < 3) return;
        const year = this.pick(left);
        const level = this.random() < 0.3 ? 'ponds' : null;
        for (const one of LEVELS) if (level === null || level === one) this.slices.delete(`${year}/${one}`);
        this.withdrawn.push({ year, level, forget: this.random() < 0.3 });
        this.version++;
      },
      restore: () => {
        const { year, level } = this.withdrawn.pop() ?? {};
        if (year === undefined) return;
        this.fill(year, level ?? null);
        this.version++;
      },
      nameDimension: () => {
        const pond = this.pick(PONDS);
        this.names.set(pond, `Pool ${pond} ${Math.floor(this.random() * 100)}`);
      },
      renameColumn: () => {
        this.count = COUNTS[(COUNTS.indexOf(this.count) + 1) % COUNTS.length]!;
        this.version++;
      },
      note: () => {
        this.hasNote = !this.hasNote;
        this.version++;
      },
      weigh: () => {
        this.whole = !this.whole;
        for (const [name, rows] of this.slices)
          this.slices.set(
            name,
            rows.map(row => ({ ...row, weight: row.weight === null ? null : Math.floor(row.weight) })),
          );
        this.version++;
      },
      sort: () => {
        this.kindFirst = !this.kindFirst;
        this.version++;
      },
      words: () => {
        this.erratum = `Nothing was wrong ${this.random()}.`;
      },
    };
    const rare = ['renameColumn', 'note', 'weigh', 'sort', 'withdraw', 'restore', 'addYear'];
    const often = ['correct', 'correct', 'remove', 'add', 'nameDimension', 'words'];
    const kind = this.pick(this.random() < 0.45 ? rare : often);
    changes[kind]?.();
    return kind;
  }

  /** `more`: contracts and rows of other datasets. */
  async write(
    folder: PublisherFolder,
    more: { readonly contracts: Record<string, string>; readonly lake: Record<string, string> } | null = null,
  ): Promise<void> {
    // Names that no release had are nobody's: a contract states the last that was published.
    if (this.count !== this.published) this.countBefore = this.published;
    this.published = this.count;
    await writeTexts(folder.contracts, {
      ...more?.contracts,
      'publisher.yaml': 'service: Ponds\ndescription: Frogs.\nlicense: CC0-1.0\nattribution: Pond office\n',
      'frogs.yaml': this.contract(),
      'ponds.yaml': PONDS_CONTRACT,
    });
    const quote = (text: string | null) => (text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`);
    const lake: Record<string, string> = {
      ...more?.lake,
      'water/_dimensions/ponds.parquet': `SELECT * FROM (VALUES ${[...this.names].map(pair => `(${pair.map(quote).join(', ')})`).join(', ')}) t(pond_code, pond_name)`,
    };
    for (const [name, rows] of this.slices) {
      const [year = '', level = ''] = name.split('/');
      const values = rows.map(
        row =>
          `(${quote(row.pond)}, ${quote(row.kind)}, ${row.frogs ?? 'NULL'}, ${row.weight ?? 'NULL'}, ${quote(row.note)})`,
      );
      const columns = [
        `${year}::INTEGER AS year`,
        'p::VARCHAR AS pond_code',
        'k::VARCHAR AS kind',
        `f::INTEGER AS ${this.count}`,
        `w::${this.whole ? 'INTEGER' : 'DOUBLE'} AS weight`,
        ...(this.hasNote ? ['n::VARCHAR AS note'] : []),
      ];
      lake[`water/frogs/year=${year}/${level}.parquet`] =
        `SELECT ${columns.join(', ')} FROM (VALUES ${values.join(', ')}) t(p, k, f, w, n)`;
    }
    await removeYears(folder, new Set(Object.keys(lake)));
    await writeRows(folder.data, lake);
  }

  private contract(): string {
    const withdrawn = this.withdrawn.map(
      ({ year, level, forget }) =>
        `{ date: 2031-01-01, reason: "Nobody should know ${year} ${level ?? ''}.", years: [${year}]${level === null ? '' : `, levels: [${level}]`}${forget ? ', forget: true' : ''} }`,
    );
    const column = (name: string, type: string, role: string, more = '') =>
      `      - name: ${name}\n        logicalType: ${type}\n        customProperties: [{ property: column_role, value: ${role} }${more}]\n`;
    return `apiVersion: v3.1.0
kind: DataContract
id: water.frogs
version: ${this.version}.0.0
status: active
domain: water
customProperties:
  - { property: available_years, value: [${this.years.join(', ')}] }
  - { property: row_loss_limit, value: 100 }
${withdrawn.length === 0 ? '' : `  - { property: withdrawn, value: [${withdrawn.join(', ')}] }\n`}${this.erratum === null ? '' : `  - { property: errata, value: [{ date: 2031-01-01, wrong: "${this.erratum}", corrected: "Mended." }] }\n`}schema:
  - name: frogs
    customProperties:
      - { property: detail_levels, value: [ponds, land] }
      - { property: grain, value: [year, ${this.kindFirst ? 'kind, pond_code' : 'pond_code, kind'}] }
      - { property: path_template, value: "water/frogs/year={year}/{detail}.parquet" }
      - property: foreign_keys
        value: [{ column: pond_code, target_object: ponds, target_columns: [pond_code], scope: domain }]
    properties:
      - name: year
        logicalType: integer
        required: true
        customProperties: [{ property: column_role, value: year }]
${column('pond_code', 'string', 'fk_pond')}${column('kind', 'string', 'categorical')}${column(this.count, 'integer', 'metric', this.countBefore === null ? '' : `, { property: renamed_from, value: ${this.countBefore} }`)}${column('weight', this.whole ? 'integer' : 'number', 'metric')}${this.hasNote ? column('note', 'string', 'metric') : ''}`;
  }
}

const PONDS_CONTRACT = `apiVersion: v3.1.0
kind: DataContract
id: water.ponds
version: 1.0.0
status: active
domain: water
schema:
  - name: ponds
    customProperties:
      - { property: entity_kind, value: dimension }
      - { property: scope, value: domain }
    properties:
      - name: pond_code
        logicalType: string
        primaryKey: true
        primaryKeyPosition: 1
        customProperties: [{ property: column_role, value: key }]
      - name: pond_name
        logicalType: string
`;

/** Withdrawn slices have no file any more. */
async function removeYears({ data }: PublisherFolder, kept: ReadonlySet<string>): Promise<void> {
  const files = await readdir(data, { recursive: true }).catch(() => []);
  for (const file of files) if (file.endsWith('.parquet') && !kept.has(file)) await rm(`${data}/${file}`);
}

/** A request for rows, without the moment. */
export function randomRequest(random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  if (random() < 0.1) return `water/_dimensions/ponds?limit=${pick([1, 3, 100])}&offset=${pick([0, 0, 2])}`;
  const pairs: string[] = [`detail=${pick(LEVELS)}`];
  if (random() < 0.4) pairs.push(`year=${2020 + Math.floor(random() * 5)}`);
  else if (random() < 0.3) pairs.push(`year_min=2021`, `year_max=${2021 + Math.floor(random() * 3)}`);
  if (random() < 0.3) pairs.push(`pond_code=${encodeURIComponent(pick([...PONDS, 'p1,p3', 'zz']))}`);
  if (random() < 0.2 && pairs[0] === 'detail=ponds') pairs.push('place=p2,p4');
  if (random() < 0.2) pairs.push(`kind=${pick([...KINDS, 'all,brown', 'brown,green,pink'])}`);
  if (random() < 0.15) pairs.push(`${pick(COUNTS)}_min=${Math.floor(random() * 900)}`);
  if (random() < 0.15) pairs.push('weight_max=50');
  if (random() < 0.3) pairs.push(`limit=${pick([1, 2, 5, 17, 40])}`);
  if (random() < 0.3) pairs.push(`offset=${pick([0, 1, 4, 18, 30])}`);
  if (random() < 0.3) pairs.push(`format=${pick(['csv', 'json', 'parquet'])}`);
  return `water/frogs?${pairs.join('&')}`;
}

/** An answer without why it is empty, which follows from the values of a tree: no later tree has them. */
export function withoutReason(text: string): string {
  return text.includes('"count":0,') ? text.replace(/"notices":\[[^\]]*\]/, '') : text;
}
