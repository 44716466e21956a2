/**
 * A dataset without time, whose places have keys of two parts, and whose releases change it at random: levels that go
 * and come back, columns that get a third name, the whole dataset withdrawn and published again.
 */
import { column, dimension } from '../publishers/contract-text.ts';

interface Row {
  readonly valley: string | null;
  readonly well: string | null;
  readonly season: string;
  readonly depth: number | null;
  readonly dry: boolean | null;
  readonly tested: string | null;
  readonly checked: string | null;
}

const PLACES = [
  ['v1', '1'],
  ['v1', '2'],
  ['v2', '1'],
  ['v:2', 'a,b'],
] as const;
const SEASONS = ['all', 'wet', 'dry'];
const LEVELS = ['wells', 'valleys', 'land'] as const;
type LevelName = (typeof LEVELS)[number];
/** Of the column of depths, one after another. */
const NAMES = ['depth', 'depth_m', 'metres', 'how deep?'];

export class Wells {
  readonly levels = new Map<LevelName, Row[]>();
  /** Levels that are declared withdrawn. */
  readonly gone = new Set<LevelName>();
  version = 1;
  retired = false;
  /** Whether it was withdrawn and came back: its memory then begins anew. */
  returned = false;
  private named = 0;
  private whole = false;
  private seasonName = 'season';
  private seasonBefore: string | null = null;
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
    for (const level of LEVELS) this.fill(level);
  }

  get depthName(): string {
    return NAMES[this.named % NAMES.length]!;
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)]!;
  }

  private fill(level: LevelName): void {
    const valleys = [...new Set(PLACES.map(([valley]) => valley))];
    const places: readonly (readonly [string | null, string | null])[] =
      level === 'wells'
        ? PLACES
        : level === 'valleys'
          ? valleys.map(valley => [valley, null])
          : [[null, null]];
    this.levels.set(
      level,
      places.flatMap(([valley, well]) => SEASONS.map(season => ({ valley, well, season, ...this.values() }))),
    );
  }

  private values(): Omit<Row, 'valley' | 'well' | 'season'> {
    const { random } = this;
    return {
      depth: random() < 0.2 ? null : Math.floor(random() * 400) / (this.whole ? 1 : 4),
      dry: random() < 0.3 ? null : random() < 0.5,
      tested: random() < 0.3 ? null : `2030-0${1 + Math.floor(random() * 9)}-11`,
      checked: random() < 0.5 ? null : `2030-05-0${1 + Math.floor(random() * 9)} 10:00:00`,
    };
  }

  /** One change; returns what it was. */
  change(): string {
    const changes: Readonly<Record<string, () => void>> = {
      correct: () => {
        const [level, rows] = this.pick([...this.levels]);
        this.levels.set(
          level,
          rows.map(row => (this.random() < 0.4 ? { ...row, ...this.values() } : row)),
        );
      },
      remove: () => {
        const [level, rows] = this.pick([...this.levels]);
        const kept = rows.filter(() => this.random() < 0.7);
        this.levels.set(level, kept.length === 0 ? rows : kept);
      },
      level: () => {
        const level = this.pick(['wells', 'valleys'] as const);
        if (this.gone.delete(level)) this.fill(level);
        else if (this.levels.size > 1) {
          this.gone.add(level);
          this.levels.delete(level);
        }
        this.version++;
      },
      rename: () => {
        this.named++;
        this.version++;
      },
      renameKey: () => {
        this.seasonBefore = this.seasonName;
        this.seasonName = this.seasonName === 'season' ? 'part' : 'season';
        this.version++;
      },
      type: () => {
        this.whole = !this.whole;
        for (const [level, rows] of this.levels)
          this.levels.set(
            level,
            rows.map(row => ({ ...row, depth: row.depth === null ? null : Math.floor(row.depth) })),
          );
        this.version++;
      },
      retire: () => {
        if (this.retired) this.returned = true;
        this.retired = !this.retired;
        this.version++;
      },
    };
    const kind = this.retired
      ? 'retire'
      : this.pick(['correct', 'correct', 'remove', 'level', 'rename', 'renameKey', 'type', 'retire']);
    changes[kind]?.();
    return `wells: ${kind}`;
  }

  contracts(): Record<string, string> {
    const withdrawn = this.retired
      ? '{ date: 2031-01-01, reason: "Nobody measures any more." }'
      : this.gone.size > 0
        ? `{ date: 2031-01-01, reason: "The law says so.", levels: [${[...this.gone].join(', ')}] }`
        : null;
    const before = this.named === 0 ? null : NAMES[(this.named - 1) % NAMES.length]!;
    const renamed = (text: string, name: string | null) =>
      name === null
        ? text
        : text.replace(/(customProperties: \[.*)\]$/, `$1, { property: renamed_from, value: "${name}" }]`);
    const season = renamed(column(this.seasonName, 'string', 'categorical', true), this.seasonBefore);
    return {
      'valleys.yaml': dimension('water', 'valleys', ['valley'], 'valley_name'),
      'wells-of.yaml': dimension('water', 'wells_of', ['valley', 'well'], 'well_name'),
      'wells.yaml': `apiVersion: v3.1.0
kind: DataContract
id: water.wells
version: ${this.version}.0.0
status: ${this.retired ? 'retired' : 'active'}
domain: water
customProperties:
  - { property: row_loss_limit, value: 100 }
${withdrawn === null ? '' : `  - { property: withdrawn, value: ${withdrawn} }\n`}schema:
  - name: wells
    customProperties:
      - { property: detail_levels, value: [${LEVELS.filter(level => !this.gone.has(level)).join(', ')}] }
      - { property: default_detail, value: land }
      - { property: grain, value: [valley, well, ${this.seasonName}] }
      - property: foreign_keys
        value:
          - { column: valley, target_object: valleys, target_columns: [valley], scope: domain }
          - { column: well, target_object: wells_of, target_columns: [valley, well], scope: domain }
    properties:${column('valley', 'string', 'fk_valley')}${column('well', 'string', 'fk_well')}${season}${renamed(column(`"${this.depthName}"`, this.whole ? 'integer' : 'number', 'metric'), before)}${column('dry', 'boolean', 'categorical')}${column('tested', 'date', 'attribute')}${column('checked', 'timestamp', 'attribute')}
`,
    };
  }

  lake(): Record<string, string> {
    const quote = (text: string | null) => (text === null ? 'NULL' : `'${text}'`);
    const valleys = [...new Set(PLACES.map(([valley]) => valley))];
    const lake: Record<string, string> = {
      'water/_dimensions/valleys.parquet': `SELECT * FROM (VALUES ${valleys.map(one => `('${one}', 'Valley ${one}')`).join(', ')}) t(valley, valley_name)`,
      'water/_dimensions/wells_of.parquet': `SELECT * FROM (VALUES ${PLACES.map(([valley, well]) => `('${valley}', '${well}', 'Well ${well}')`).join(', ')}) t(valley, well, well_name)`,
    };
    if (this.retired) return lake;
    for (const [level, rows] of this.levels) {
      const values = rows.map(
        row =>
          `(${[row.valley, row.well, row.season].map(quote).join(', ')}, ${row.depth ?? 'NULL'}, ${row.dry ?? 'NULL'}, ${quote(row.tested)}, ${quote(row.checked)})`,
      );
      lake[`water/wells/${level}.parquet`] =
        `SELECT v::VARCHAR AS valley, w::VARCHAR AS well, s AS ${this.seasonName}, d::${this.whole ? 'INTEGER' : 'DOUBLE'} AS "${this.depthName}", dry::BOOLEAN AS dry, t::DATE AS tested, c::TIMESTAMP AS checked FROM (VALUES ${values.join(', ')}) t(v, w, s, d, dry, t, c)`;
    }
    return lake;
  }
}

/** A request for its rows, without the moment. */
export function randomWells(random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const pairs: string[] = random() < 0.9 ? [`detail=${pick(LEVELS)}`] : [];
  const maybe = (share: number, pair: () => string) => random() < share && pairs.push(pair());
  maybe(
    0.25,
    () => `place=${encodeURIComponent(pick(['v1:1', 'v1:1,v2:1', 'v%3A2:a%2Cb', 'v1', 'v1,v%3A2']))}`,
  );
  maybe(0.2, () => `${pick(['season', 'part'])}=${pick(['all', 'wet,dry', 'all,dry', 'none'])}`);
  maybe(0.15, () => `valley=${encodeURIComponent(pick(['v1', 'v1,v2', 'v:2']))}`);
  maybe(0.15, () => `dry=${pick(['true', 'false', 'true,false'])}`);
  maybe(
    0.15,
    () => `${encodeURIComponent(pick(NAMES))}_${pick(['min', 'max'])}=${Math.floor(random() * 100)}`,
  );
  maybe(0.15, () => `tested_${pick(['min', 'max'])}=2030-0${1 + Math.floor(random() * 9)}-11`);
  maybe(0.1, () => 'checked_max=2030-05-05');
  maybe(0.3, () => `limit=${pick([0, 1, 3, 7, 40])}`);
  maybe(0.3, () => `offset=${pick([0, 1, 4, 30])}`);
  maybe(0.3, () => `format=${pick(['csv', 'json', 'parquet', 'xml'])}`);
  return `water/wells${pairs.length > 0 ? '?' : ''}${pairs.join('&')}`;
}
