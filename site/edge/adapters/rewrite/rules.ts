/**
 * The rules of hosts that can only rewrite: they find the one stored file that is the answer, and otherwise
 * answer 501. scripts/bundle.ts compiles them into one script per host, for engines with an old JavaScript:
 * nginx's njs 0.7 and CloudFront Functions. The bundler lowers syntax to ES2015, but these engines lack parts
 * of that: use no destructuring, spread, default arguments, `for … of`, Map or replaceAll here. In njs, `$`
 * of a regular expression also matches before a final line feed, so the rules test texts for characters that
 * they must not contain.
 */
import { isPaged, PAGE_ROWS } from '../../../../build/format/documents.ts';
import { GRAMMAR, type Rule } from '../../../../build/format/grammar.ts';
import {
  API_ROOT,
  contractPath,
  dimensionSchemaPath,
  schemaPath,
  valuesPath,
  yearSegment,
} from '../../../../build/format/paths.ts';
import {
  choiceProblem,
  emptyItem,
  integerProblem,
  type Problem,
  repeatedParameter,
  TIMELESS,
  unknownParameter,
} from '../../../query/problems.ts';
import { resolveRoute, routeKey, type SubjectRoute } from '../../../query/route.ts';
import { quoteText, renderOneOf, renderSelect, swap } from '../../../query/select-sql.ts';
import { METHODS } from '../../respond/headers.ts';

export interface Asked {
  readonly method: string;
  /** The URL's path beneath the tree's root, percent-encoded, with its leading slash. */
  readonly url: string;
  /** As in the URL, without its `?`. */
  readonly query: string;
  readonly html: boolean;
  /** The tree's root on the host: empty, or `/releases/{release}`. */
  readonly root: string;
  /** Such as `https://data.example.org`, for the SQL of a refusal. */
  readonly origin: string;
}

/**
 * A file of the tree, by its path without a leading slash; or an answer without a file. `location` is
 * relative to the root.
 */
export type Decision =
  | { readonly file: string }
  | {
      readonly file?: undefined;
      readonly status: number;
      readonly location?: string;
      readonly text?: string;
    };

/** Where a URL leads: to an answer, or to one that depends on the table's text for `key`. */
export type Place =
  | { readonly at: Decision; readonly key?: undefined }
  | {
      readonly at?: undefined;
      /** `domain/topic`, or `domain/_dimensions/name`. */
      readonly key: string;
      readonly route: SubjectRoute;
    };

/** Name and text of a parameter; null if the percent-encoding isn't UTF-8. */
type Pair = (string | null)[];

/** A column with the values that it may have. */
type Condition = readonly [string, string[]];

interface Question {
  readonly format: string;
  readonly level: string;
  /** Both included. */
  readonly first: number;
  readonly last: number;
  readonly conditions: Condition[];
  readonly skip: number;
  /** Infinity: all. */
  readonly take: number;
  /**
   * Whether a condition's meaning depends on the columns' values or the level's columns, which the table
   * lacks.
   */
  readonly vague: boolean;
}

/**
 * The year is 0 in a dimension. The cell has the rows in base 36, then `!` if there is no JSON and `*` if
 * there is no CSV; `-` if there is no slice.
 */
interface Slice {
  readonly year: number;
  readonly cell: string;
}

function refuse(status: number, answer: object): Decision {
  return { status, text: JSON.stringify(answer) + '\n' };
}

export const NOTHING = refuse(404, { detail: 'Nothing is published here.' });

function refuseProblems(problems: readonly Problem[]): Decision {
  return refuse(422, {
    detail: problems.map(one => ({
      type: one.type,
      loc: ['query', one.param],
      msg: one.msg,
      input: one.input,
      ctx: one.ctx,
    })),
  });
}

/** Null if the percent-encoding isn't UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (_) {
    return null;
  }
}

export function locate(asked: Asked): Place {
  const url = asked.url;
  if (asked.method === 'OPTIONS') return { at: { status: 204 } };
  if (asked.method !== 'GET' && asked.method !== 'HEAD')
    return { at: refuse(405, { detail: METHODS + ' are the methods that this service knows.' }) };
  if (url.length > 2048 || asked.query.length > 8191)
    return { at: refuse(414, { detail: 'A path has at most 2048 characters, a query at most 8191.' }) };
  // A release's own address without its final slash.
  if (url === '') return { at: NOTHING };
  const route = resolveRoute(url);
  switch (route.kind) {
    case 'service':
      return { at: { file: asked.html ? 'index.html' : 'index.json' } };
    case 'unknown':
      return { at: NOTHING };
    case 'document':
    case 'file':
    case 'folder':
      return { at: { file: route.path } };
    default:
      return { key: routeKey(route), route: route };
  }
}

/** `entry`: the table's text for the place's key (`renderEntry` in render.ts); empty if it has none. */
export function decide(asked: Asked, place: Place, entry: string): Decision {
  if (place.at) return place.at;
  if (!entry)
    return refuse(404, {
      detail: 'There is no ' + place.key + '. ' + asked.root + '/api/v1/datasets lists all datasets.',
    });
  const route = place.route;
  switch (route.kind) {
    case 'schema':
      return { file: schemaPath(route.domain, route.topic) };
    case 'contract':
      return decideContract(route.domain, route.topic, readQuery(asked.query, Infinity));
    case 'values':
      return { file: valuesPath(route.domain, route.topic) };
    case 'dimension-schema':
      return { file: dimensionSchemaPath(route.domain, route.name) };
    case 'facts':
    case 'dimension':
      return decideRows(asked, API_ROOT + '/' + place.key, route.kind === 'facts', entry);
    default:
      return route satisfies never;
  }
}

/** `base`: path of the rows; `dated`: whether they are a dataset's. */
function decideRows(asked: Asked, base: string, dated: boolean, entry: string): Decision {
  // Each column of an entry has a letter or more, so if a query has more parameters, one of the first is
  // wrong.
  const pairs = readQuery(asked.query, entry.length + 9);
  if (pairs.some(pair => pair.indexOf(null) >= 0))
    return refuseProblems([
      { type: 'string_unicode', param: '', msg: 'The query is not UTF-8', input: asked.query, ctx: {} },
    ]);

  const texts = entry.split(';');
  const order = texts[0]!.split('/')[0]!.split(',').map(readName);
  const marked = texts[0]!.split(/[/,]/).filter(name => /^[^=~]+$/.test(name));
  const columns = marked.map(readName);
  const levels = texts.slice(2).map(text => text.split(' '));
  const wrong: Problem[] = [];
  const question = readQuestion(
    pairs,
    GRAMMAR.filter(rule =>
      dated ? rule.of !== 'time' || texts[1] !== '0' : rule.of === 'rows' || rule.of === 'past',
    ),
    columns,
    marked,
    levels.map(words => words[0]!),
    /~/.test(texts[0]!),
    wrong,
  );
  if (wrong.length > 0) return refuseProblems(wrong);
  const cells = levels.filter(words => words[0] === question.level)[0]![1];
  const slices = readSlices(texts[1]!, cells || '-').filter(
    one => one.cell !== '-' && one.year >= question.first && one.year <= question.last,
  );
  const names = slices.map(one => base + '/' + (dated ? yearSegment(one.year) + '/' : '') + question.level);
  const only = slices.length === 1 && findStored(question, slices[0]!.cell, names[0]!);
  return only || refuseWork(asked, base, question, names, order);
}

/** Without its marks. */
function readName(text: string): string {
  return decode(text.replace(/[*=]/g, ''))!;
}

/** All parameters except `format` are ignored, as on every document. */
function decideContract(domain: string, topic: string, pairs: Pair[]): Decision {
  const named = pairs.filter(pair => pair[0] === 'format' && pair[1] !== null)[0];
  const form = named ? named[1]! : 'yaml';
  const problem = choiceProblem('format', form, ['yaml', 'json'], null);
  return problem
    ? refuseProblems([problem])
    : { file: contractPath(domain, topic, form === 'json' ? form : 'yaml') };
}

function readQuery(query: string, most: number): Pair[] {
  return swap(query, '+', ' ')
    .split('&')
    .filter(part => part !== '')
    .slice(0, most)
    .map(part => {
      const end = (part + '=').indexOf('=');
      return [decode(part.slice(0, end)), decode(part.slice(end + 1))];
    });
}

function readQuestion(
  pairs: Pair[],
  /** Of this table. */
  rules: Rule[],
  columns: string[],
  marked: string[],
  levels: string[],
  /** Whether columns have ranges. The bounds' meaning depends on the columns' types. */
  ranged: boolean,
  wrong: Problem[],
): Question {
  // In the order of schema documents.
  const names = (['time', 'dataset', '', 'rows', 'past'] as const).reduce<string[]>(
    (all, of) => all.concat(of ? rules.filter(rule => rule.of === of).map(rule => rule.name) : columns),
    [],
  );
  // Keys begin with a dot, so that they don't clash with properties of every object.
  const given: Record<string, string | undefined> = {};
  const conditions: Condition[] = [];
  let vague = false;
  const format = pairs.filter(pair => pair[0] === 'format').map(pair => pair[1]!)[0] || 'json';
  function check(name: string, text: string): Problem | null {
    const at = columns.indexOf(name);
    const rule = rules.filter(one => one.name === name)[0];
    const isRange = !rule && at < 0 && ranged && /^(?!year_m).+_m(in|ax)$/.test(name);
    if (!rule && at < 0 && !isRange) {
      const timed = GRAMMAR.some(one => one.of === 'time' && one.name === name);
      const reason = timed && rules.some(one => one.of === 'dataset') ? TIMELESS : null;
      return unknownParameter(name, text, null, names, reason);
    }
    if (given['.' + name] !== undefined)
      return repeatedParameter(name, [given['.' + name]!, text], at >= 0, name === 'year');
    given['.' + name] = text;
    if (rule && rule.of !== 'past')
      switch (rule.kind) {
        case 'integer':
          return integerProblem(name, text, rule.least, isPaged(format) ? rule.mostOnPage : undefined);
        case 'choice':
          return choiceProblem(name, text, rule.choices, null);
        case 'level':
          return choiceProblem(name, text, levels, null);
      }
    // No stored file answers a question about earlier releases.
    const items = text.split(',').map(item => swap(item, '%2C', ','));
    const mark = at < 0 ? 3 : marked[at]!.split('*').length;
    const whole = mark === 2 && (text === '' || items.length > 1);
    vague = vague || whole || mark > 2;
    if (at >= 0 && items.indexOf('') >= 0 && !whole) return emptyItem(name, text, items.indexOf(''));
    conditions.push([name, items]);
    return null;
  }
  function numberOf(name: string, otherwise: number): number {
    const text = given['.' + name];
    return text === undefined ? otherwise : +text;
  }
  // Engines and answers have no room for every problem of a long query.
  pairs.every(pair => {
    const problem = check(pair[0]!, pair[1]!);
    if (problem) wrong.push(problem);
    return wrong.length < 20;
  });
  return {
    format: format,
    level: given['.detail'] || levels[0]!,
    first: Math.max(numberOf('year', -Infinity), numberOf('year_min', -Infinity)),
    last: Math.min(numberOf('year', Infinity), numberOf('year_max', Infinity)),
    conditions: conditions,
    skip: numberOf('offset', 0),
    take: numberOf('limit', isPaged(format) ? PAGE_ROWS : Infinity),
    vague: vague,
  };
}

function readSlices(years: string, cells: string): Slice[] {
  const given = cells.split(',');
  const slices: Slice[] = [];
  years.split(' ').forEach(run => {
    const ends = run.split('+');
    for (let i = 0; i <= +(ends[1] || 0); i++) {
      const cell = given[slices.length] || slices[slices.length - 1]!.cell;
      slices.push({ year: +ends[0]! + i, cell: cell });
    }
  });
  return slices;
}

/** The one stored file that is the answer, or null. `name`: its path without what follows the level. */
function findStored(question: Question, cell: string, name: string): Decision | null {
  const rows = parseInt(cell, 36);
  const skip = question.skip;
  const end = Math.min(skip + question.take, rows);
  if (question.conditions.length > 0) return null;
  if (question.format !== 'json') {
    const held = question.format === 'parquet' || (question.format === 'csv' && !/\*/.test(cell));
    return held && skip === 0 && end === rows ? { file: name + '.' + question.format } : null;
  }
  if (/!/.test(cell) || skip % PAGE_ROWS > 0 || (skip > 0 && skip >= rows)) return null;
  if (end !== Math.min(skip + PAGE_ROWS, rows)) return null;
  const file = name + (skip === 0 ? '' : '.page-' + (skip / PAGE_ROWS + 1)) + '.json';
  // Its `next` is relative, so the reader must see the file's own URL.
  return end < rows ? { status: 307, location: '/' + file } : { file: file };
}

/** Names the files to read, and the SQL that does the rest. */
function refuseWork(
  asked: Asked,
  base: string,
  question: Question,
  names: string[],
  order: string[],
): Decision {
  const parts = names.map(name => asked.root + '/' + name + '.parquet');
  // The answer repeats only short questions, because engines and answers have no room for more.
  const short = asked.query.length < 2000 && !question.vague;
  const values: Record<string, string[]> = {};
  const where: string[] = [];
  if (short)
    question.conditions.forEach(condition => {
      values[condition[0]] = condition[1];
      where.push(renderOneOf(condition[0], condition[1].map(quoteText)));
    });
  return refuse(501, {
    detail: 'This host computes nothing. Run the SQL, or ask for a whole year and level.',
    manifest: asked.root + '/' + base + '/manifest.json',
    files: parts.map(part => ({ path: part })),
    residual: short ? { filters: values, offset: question.skip, limit: question.take } : null,
    sql:
      short && parts[0]
        ? renderSelect(
            '*',
            parts.map(part => asked.origin + part),
            where,
            order,
            question.skip,
            question.take,
          )
        : null,
  });
}
