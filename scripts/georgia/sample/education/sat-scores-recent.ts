import type { SampleDataset } from '../dataset.ts';
import { threeSections } from './sat-components.ts';
import { satScores } from './sat-scores.ts';

export const satScoresRecent: SampleDataset = {
  key: 'education/sat_scores_recent',
  sql: satScores({
    composites: [threeSections('verbal_math_writing', [2006, 2010]), threeSections('combined', [2011, 2016])],
    lift: 0,
    scoreWithheld: 'false',
  }),
};
