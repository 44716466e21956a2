/** The places that a reader can choose and compare, of any level, with their full names. */
import { formatPlaceKey, splitPlaceKey } from '../../query/request.ts';
import { t } from '../messages/messages.ts';
import { findByText } from './choices.ts';
import { type Choice, type ExploredDataset, type Field, isCode, levelTitle } from './dataset.ts';
import {
  comparisonOf,
  type LevelPlace,
  levelOf,
  oneYear,
  type Question,
  type ViewState,
  withDetail,
} from './question.ts';
import { VIEWS } from './views.ts';

interface NamedPlace extends LevelPlace {
  /** The finest part first, then the larger places: `Adams Elementary, District 601`. No two places share it. */
  readonly name: string;
}

const known = new WeakMap<ExploredDataset, ReadonlyMap<string, NamedPlace>>();

/** Every place: the whole first, then larger places before smaller ones. */
export function listPlaces(dataset: ExploredDataset): readonly NamedPlace[] {
  return [...placesOf(dataset).values()];
}

function placesOf(dataset: ExploredDataset): ReadonlyMap<string, NamedPlace> {
  const found = known.get(dataset) ?? new Map(namePlaces(dataset).map(place => [textOf(place), place]));
  known.set(dataset, found);
  return found;
}

export function textOf({ detail, key }: LevelPlace): string {
  return `${detail}:${key}`;
}

export function isSamePlace(a: LevelPlace, b: LevelPlace): boolean {
  return a.detail === b.detail && a.key === b.key;
}

/** A place's full name, its parts' names if the dataset lists no such place, or their codes. */
export function namePlace(dataset: ExploredDataset, place: LevelPlace): string {
  return placesOf(dataset).get(textOf(place))?.name ?? nameParts(dataset, place);
}

/** Whether two places of a level have the same name, so that only their keys tell them apart. */
export function hasNamesakes(dataset: ExploredDataset, detail: string): boolean {
  return listPlaces(dataset).some(place => place.detail === detail && place.name.endsWith(`(${place.key})`));
}

/** Whether the dataset has rows of the place. */
export function isListed(dataset: ExploredDataset, place: LevelPlace): boolean {
  return place.key === '' || placesOf(dataset).has(textOf(place));
}

/** The parts that aren't NULL, finest first: a level may mix kinds of places. */
function nameParts(dataset: ExploredDataset, { detail, key }: LevelPlace): string {
  const { places } = levelOf({ dataset, detail });
  const title = levelTitle(dataset, detail);
  if (places.length === 0) return title;
  const codes = splitPlaceKey(key) ?? [key];
  const fields = listFields(dataset, places);
  if (fields === null || codes.length !== fields.length) return `${title} ${codes.join(' ')}`;
  const partOf = new Map(fields.map(({ param }, i) => [param, codes[i]]));
  const names = fields.flatMap((field, i) => {
    const code = codes[i] ?? null;
    if (code === null) return [];
    const named = choicesOf(field)
      .get(code)
      ?.find(({ keys }) => Object.entries(keys).every(([param, part]) => partOf.get(param) === part));
    const { label = code } = named ?? {};
    return [label === code && isCode(code) ? `${field.label} ${code}` : label];
  });
  return names.reverse().join(', ') || t.words.noValueOf(title.toLowerCase());
}

const byValue = new WeakMap<Field, ReadonlyMap<string, readonly Choice[]>>();

/** Different places may share a code within their larger places. */
function choicesOf(field: Field): ReadonlyMap<string, readonly Choice[]> {
  const known = byValue.get(field);
  if (known) return known;
  const found = new Map<string, Choice[]>();
  for (const choice of field.choices) found.set(choice.value, [...(found.get(choice.value) ?? []), choice]);
  byValue.set(field, found);
  return found;
}

function namePlaces(dataset: ExploredDataset): NamedPlace[] {
  const levels = dataset.levels.filter(({ years }) => years.length > 0);
  const seen = new Set<string>();
  const listed = [...levels]
    .sort((a, b) => a.places.length - b.places.length)
    .flatMap(({ name: detail, places }): NamedPlace[] => {
      // Two levels with the same columns have the same places; list them once.
      const columns = places.join();
      if (seen.has(columns)) return [];
      seen.add(columns);
      if (places.length === 0) return [{ detail, key: '', name: levelTitle(dataset, detail) }];
      const fields = listFields(dataset, places);
      const leaf = fields?.at(-1);
      if (!fields || !leaf) return [];
      return leaf.choices.flatMap(choice => {
        const key = keyOf(fields, leaf, choice);
        return key === null ? [] : [{ detail, key, name: nameParts(dataset, { detail, key }) }];
      });
    });
  const bearers = new Map<string, number>();
  for (const { name } of listed) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  return listed.map(place =>
    bearers.get(place.name) === 1 ? place : { ...place, name: `${place.name} (${place.key})` },
  );
}

/** The fields of place columns, in order; null if a column has none. */
function listFields({ fields }: ExploredDataset, places: readonly string[]): readonly Field[] | null {
  const found = places.map(column => fields.find(one => one.kind === 'place' && one.column === column));
  return found.every(field => field !== undefined) ? (found as Field[]) : null;
}

/** Null if the choice lacks the other parts of its key: the level's rows are then about pairs. */
function keyOf(fields: readonly Field[], leaf: Field, choice: Choice): string | null {
  const codes = fields.map(field => (field === leaf ? choice.value : choice.keys[field.param]));
  const whole = codes.flatMap(code => (code === undefined ? [] : [code]));
  return whole.length === codes.length ? formatPlaceKey(whole) : null;
}

/** Whether readers choose the level's places by name. Otherwise each part of the key has its own field. */
export function hasPlaceNames(question: Question): boolean {
  const { places } = levelOf(question);
  if (places.length === 0) return true;
  const fields = listFields(question.dataset, places);
  const leaf = fields?.at(-1);
  const [first] = leaf?.choices ?? [];
  return !!fields && !!leaf && !!first && keyOf(fields, leaf, first) !== null;
}

/** Finds places that aren't chosen yet. */
export function findPlaces(
  dataset: ExploredDataset,
  text: string,
  chosen: readonly LevelPlace[],
  most: number,
): NamedPlace[] {
  const free = listPlaces(dataset).filter(place => !chosen.some(one => isSamePlace(one, place)));
  return findByText(free, text, most, ({ name, key }) => ({ name, code: key }));
}

/** The chosen places: those of the question's level, then those of other levels. */
export function chosenPlaces({ detail, places, beside }: ViewState): LevelPlace[] {
  return [...places.map(key => ({ detail, key })), ...beside];
}

/** Adds a place. The first one sets the question's level; a later one of another level goes into `beside`. */
export function addPlace(state: ViewState, place: LevelPlace): ViewState {
  const { beside, places } = state;
  if (chosenPlaces(state).some(one => isSamePlace(one, place))) return state;
  const { detail, key } = place;
  if (state.detail === detail && key !== '') return narrow(state, [...places, key]);
  const isFirst = beside.length === 0 && places.length === 0;
  // Where all places are ranked, the whole is one more.
  if (isFirst && (key !== '' || !VIEWS[state.view].isRanked))
    return narrow(withDetail(state, detail), key === '' ? [] : [key]);
  return state.detail === detail ? state : { ...state, beside: [...beside, place] };
}

/** Removes a place. If no place of the question's level is left, the question moves to the level of the next place. */
export function removePlace(state: ViewState, place: LevelPlace): ViewState {
  const left = chosenPlaces(state).filter(one => !isSamePlace(one, place));
  const detail = left.some(one => one.detail === state.detail)
    ? state.detail
    : (left[0]?.detail ?? state.detail);
  const own = left.filter(one => one.detail === detail && one.key !== '');
  return {
    ...(detail === state.detail ? state : withDetail(state, detail)),
    places: own.map(({ key }) => key),
    beside: left.filter(one => one.detail !== detail),
  };
}

/** Whole keys replace filters on single place columns. */
function narrow<Asked extends Question>(asked: Asked, places: readonly string[]): Asked {
  const filters = new Map(asked.filters);
  for (const { kind, param } of asked.dataset.fields) if (kind === 'place') filters.delete(param);
  return { ...asked, filters, places };
}

/**
 * The larger places in grey beside a single chosen place, if the dataset has rows of them: the smallest that contains it,
 * and the whole. Several chosen places compare with one another instead.
 */
export function contextOf(state: ViewState): LevelPlace[] {
  const [only, another] = chosenPlaces(state);
  if (state.alone || only === undefined || another !== undefined || only.key === '') return [];
  const { dataset } = state;
  const { places } = levelOf({ dataset, detail: only.detail });
  const codes = splitPlaceKey(only.key) ?? [];
  const larger = dataset.levels
    .filter(
      level =>
        level.years.length > 0 &&
        level.places.length < places.length &&
        level.places.every(column => places.includes(column)),
    )
    .sort((a, b) => b.places.length - a.places.length);
  const parent = larger.find(level => level.places.length > 0);
  const whole = larger.find(level => level.places.length === 0);
  return [parent, whole].flatMap(level => {
    if (level === undefined) return [];
    const key = level.places.map(column => codes[places.indexOf(column)] ?? null);
    return [{ detail: level.name, key: formatPlaceKey(key) }];
  });
}

/**
 * - `chosen`: chosen places of other levels.
 * - `context`: the larger places in grey.
 * - `before`: the same places a year earlier, as marks on bars.
 */
type BesideRole = 'chosen' | 'context' | 'before';

export interface BesideQuestion {
  readonly question: Question;
  readonly role: BesideRole;
}

/** Further questions of a view: one per level, the grey ones last, then those of the year before. */
export function besideQuestions(state: ViewState): BesideQuestion[] {
  if (!VIEWS[state.view].isCompared) return [];
  const others = besidePlaces(state);
  if (!VIEWS[state.view].isRanked) return others;
  const shown = [state, ...others.map(({ question }) => question)];
  return [
    ...others,
    ...shown.flatMap((question): BesideQuestion[] => {
      const year = yearBefore(question, state.metric);
      return year === null
        ? []
        : [{ question: { ...question, years: { min: year, max: year } }, role: 'before' }];
    }),
  ];
}

/** The level's last earlier year, if its figures compare with those of the question's year; else null. */
export function yearBefore(question: Question, metric: string | null): number | null {
  const { timeline, comparability } = question.dataset;
  const year = oneYear(question.years);
  if (year === null || timeline?.unit !== 'year') return null;
  const apart = comparability.pooledYears ?? 1;
  const before = levelOf(question).years.findLast(one => one <= year - apart);
  return before !== undefined && comparisonOf(question, metric ?? '')(before, year) ? before : null;
}

function besidePlaces(state: ViewState): BesideQuestion[] {
  const context = contextOf(state);
  const shown = [...state.beside, ...context];
  return [...new Set(shown.map(({ detail }) => detail))].map(detail => {
    const keys = shown.filter(one => one.detail === detail).map(({ key }) => key);
    const moved: Question = withDetail(narrow(state, []), detail);
    return {
      question: { ...moved, years: state.years, places: keys.filter(key => key !== '') },
      role: context.some(one => one.detail === detail) ? 'context' : 'chosen',
    };
  });
}
