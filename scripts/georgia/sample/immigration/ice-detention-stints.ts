import type { SampleDataset } from '../dataset.ts';
import { detentions } from './detention.ts';

/** An arrest leads to several stints, mostly short, as people are moved between facilities. */
export const iceDetentionStints: SampleDataset = {
  key: 'immigration/ice_detention_stints',
  sql: `
    SELECT
      * EXCLUDE (begun, ended, days_held, facilities),
      begun AS num_stints,
      ended AS num_stints_ended,
      round(days_held / nullif(ended, 0), 1) AS avg_stint_length_days
    FROM (${detentions({
      event: 'stints',
      perArrest: 1.7,
      releases: `VALUES ('other', 0.02, 9), ('paroled', 0.02, 28), ('released_on_bond', 0.07, 34),
        ('released_on_order', 0.05, 19), ('removed', 0.29, 31), ('transferred', 0.55, 12)`,
      agencies: "VALUES ('cbp', 0.22, -1.2), ('ice', 0.77, 0.0), ('unknown', 0.01, 0.3)",
      moreFacilities: 0,
    })})`,
};
