import type { SampleDataset } from '../dataset.ts';
import { threeSections } from './sat-components.ts';
import { satScores } from './sat-scores.ts';

export const satScoresHighest: SampleDataset = {
  key: 'education/sat_scores_highest',
  sql: satScores({
    composites: [threeSections('combined', [2006, 2016])],
    lift: 14,
    scoreWithheld: "year BETWEEN 2007 AND 2010 AND demographic <> 'all'",
  }),
};
