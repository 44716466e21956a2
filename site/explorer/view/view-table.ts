import type { ExploredDataset } from './dataset.ts';
import { hasMoments, momentEnds } from './moment.ts';
import type { Question, ViewName } from './question.ts';
import { mappedField, toBars, toLines, toMap } from './view-questions.ts';

interface View {
  /** Whether it shows one year, or one shorter period. */
  readonly isOfOnePeriod: boolean;
  /** Whether places of other levels stand beside the question's own. */
  readonly hasBeside: boolean;
  /** Whether values of an axis stand beside one another as groups that the reader chooses. */
  readonly hasGroups: boolean;
  /** Whether the reader can rank by the change. */
  readonly hasRank: boolean;
  /** Pixels of a frame in which the view and its source have room. */
  readonly frame: number;
  isPossible(dataset: ExploredDataset): boolean;
  /** The question that it asks, from that of another view. */
  ask(dataset: ExploredDataset, question: Question): Question;
}

/** Bars and areas are rows of one period, which only the bounds of the time column tell apart from its year. */
function hasOnePeriod(dataset: ExploredDataset): boolean {
  return !hasMoments(dataset) || momentEnds(dataset, dataset.schema.default_detail) !== null;
}

export const VIEWS: Readonly<Record<ViewName, View>> = {
  chart: {
    isOfOnePeriod: false,
    hasBeside: true,
    hasGroups: true,
    hasRank: false,
    frame: 700,
    isPossible: dataset =>
      dataset.metrics.length > 0 &&
      dataset.timeline !== null &&
      (hasMoments(dataset) || dataset.levels.some(({ years }) => years.length > 1)),
    ask: toLines,
  },
  bars: {
    isOfOnePeriod: true,
    hasBeside: true,
    hasGroups: true,
    hasRank: true,
    frame: 800,
    isPossible: dataset => dataset.metrics.length > 0 && hasOnePeriod(dataset),
    ask: toBars,
  },
  map: {
    isOfOnePeriod: true,
    hasBeside: false,
    hasGroups: false,
    hasRank: false,
    frame: 800,
    isPossible: dataset =>
      dataset.metrics.length > 0 && hasOnePeriod(dataset) && mappedField(dataset) !== null,
    ask: toMap,
  },
  table: {
    isOfOnePeriod: false,
    hasBeside: false,
    hasGroups: false,
    hasRank: false,
    frame: 800,
    isPossible: () => true,
    ask: (_dataset, question) => question,
  },
};

/** In the order of the tabs. */
export const VIEW_NAMES = Object.keys(VIEWS) as readonly ViewName[];

export function isView(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}
