/** Reads what every dataset says of a place, one dataset after the other; then what to compare it with. */
import { useEffect, useState } from 'preact/hooks';
import { type Engine, MOST_FIRST_ROWS, type Parameters } from '../engine/engine.ts';
import type { FigureRow } from '../view/figure.ts';
import {
  derivePlaceFigures,
  type PlaceFigure,
  type PlaceSubject,
  sharedPins,
  takeRows,
} from '../view/place-figures.ts';
import { type ListedPlaces, type Place, partnersOf } from '../view/places.ts';
import type { SearchDocument } from '../view/search-document.ts';

/** What one dataset says of the place; null until it is read. */
export interface SubjectReading {
  readonly figures: readonly PlaceFigure[] | null;
  readonly error: unknown;
  /** Whether there are figures, several of a year, and no total. */
  readonly isSeveral: boolean;
  /** Rows of the whole; null until they are read, and if they can't be. */
  readonly whole: readonly FigureRow[] | null;
  /** Rows of the newest year about all places of the level; null too if there are too many. */
  readonly peers: readonly FigureRow[] | null;
  /** The other places of rows about pairs. */
  readonly partners: readonly ListedPlaces[];
}

const NOTHING: SubjectReading = {
  figures: null,
  error: null,
  isSeveral: false,
  whole: null,
  peers: null,
  partners: [],
};

/** Datasets that are read at once. */
const AT_ONCE = 3;

interface PlaceReading {
  /** One per subject. */
  readonly readings: readonly SubjectReading[];
  /** Asks again what failed. */
  retry(): void;
}

export function usePlaceReading(
  engine: Engine,
  document: SearchDocument,
  subjects: readonly PlaceSubject[],
  place: Place,
  onRead: () => void,
): PlaceReading {
  const [readings, setReadings] = useState<readonly SubjectReading[]>(() => subjects.map(() => NOTHING));
  const [round, setRound] = useState(0);
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const put = (at: number, part: Partial<SubjectReading>) => {
      if (!signal.aborted)
        setReadings(before => before.map((one, i) => (i === at ? { ...one, ...part } : one)));
    };
    const wanted = subjects.flatMap((_, at) => ((readings[at]?.figures ?? null) === null ? [at] : []));
    const readAll = async () => {
      const found = new Map<number, readonly PlaceFigure[]>();
      await inTurns(wanted, async at => {
        const subject = subjects[at]!;
        try {
          const asked = placeParameters(subject, place.key);
          const { table } = await engine.first(subject.dataset.key, asked, MOST_FIRST_ROWS, { signal });
          const isAlone = subject.rows.alone;
          const rows = takeRows(subject, table);
          const figures = isAlone ? derivePlaceFigures(subject, rows) : [];
          const hasFigures = subject.dataset.metrics.some(({ column }) =>
            rows.some(row => row[column] !== null),
          );
          const partners = isAlone ? [] : partnersOf(document, subject, place, table);
          found.set(at, figures);
          put(at, { figures, partners, error: null, isSeveral: figures.length === 0 && hasFigures });
        } catch (error) {
          put(at, { error });
        }
      });
      // A figure stands without what it compares with.
      await inTurns([...found.keys()], async at => {
        const subject = subjects[at]!;
        const figures = found.get(at) ?? [];
        if (figures.length === 0) return;
        put(at, { whole: await readWhole(engine, subject, figures, signal).catch(() => null) });
        put(at, { peers: await readPeers(engine, subject, figures, signal).catch(() => null) });
      });
      // Nothing is left to read, not even what failed.
      if (!signal.aborted && found.size === wanted.length) await engine.close();
    };
    readAll().finally(onRead);
    return () => control.abort();
  }, [round]);
  return { readings, retry: () => setRound(round + 1) };
}

/** Does the work for each, a few at once, in order. */
async function inTurns(list: readonly number[], work: (at: number) => Promise<void>): Promise<void> {
  const queue = [...list];
  const turn = async () => {
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) await work(at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
}

async function read(engine: Engine, subject: PlaceSubject, parameters: Parameters, signal: AbortSignal) {
  const { table } = await engine.first(subject.dataset.key, parameters, MOST_FIRST_ROWS, { signal });
  return takeRows(subject, table);
}

/** The API's parameters for the rows of a place. */
export function placeParameters(
  { rows: { detail, params } }: PlaceSubject,
  key: readonly string[],
): [string, string][] {
  return [['detail', detail], ...params.map((param, i): [string, string] => [param, key[i] ?? ''])];
}

async function readWhole(
  engine: Engine,
  subject: PlaceSubject,
  figures: readonly PlaceFigure[],
  signal: AbortSignal,
): Promise<FigureRow[] | null> {
  const { whole } = subject.dataset;
  if (whole === undefined) return null;
  return read(engine, subject, [['detail', whole], ...sharedPins(subject.dataset, figures)], signal);
}

async function readPeers(
  engine: Engine,
  subject: PlaceSubject,
  figures: readonly PlaceFigure[],
  signal: AbortSignal,
): Promise<FigureRow[] | null> {
  const year = Math.max(...figures.map(({ latest }) => latest.year));
  const pins = sharedPins(
    subject.dataset,
    figures.filter(({ latest }) => latest.year === year),
  );
  const asked: Parameters = [['detail', subject.rows.detail], ['year', String(year)], ...pins];
  const rows = await read(engine, subject, asked, signal);
  return rows.length < MOST_FIRST_ROWS ? rows : null;
}
