import type { SampleDataset } from '../dataset.ts';
import { detentions } from './detention.ts';

/** An arrest leads to about one stay, in one facility or more. Most end in removal. */
export const iceDetentionStays: SampleDataset = {
  key: 'immigration/ice_detention_stays',
  sql: `
    SELECT
      * EXCLUDE (begun, ended, days_held, facilities),
      begun AS num_stays,
      ended AS num_stays_ended,
      round(days_held / nullif(ended, 0), 1) AS avg_stay_length_days,
      round(facilities / nullif(begun, 0), 2) AS avg_facilities_per_stay
    FROM (${detentions({
      event: 'stays',
      perArrest: 0.95,
      releases: `VALUES ('other', 0.02, 14), ('paroled', 0.04, 40), ('released_on_bond', 0.14, 46),
        ('released_on_order', 0.1, 27), ('removed', 0.66, 52), ('transferred', 0.04, 33)`,
      agencies: "VALUES ('cbp', 0.2, -1.2), ('ice', 0.79, 0.0), ('unknown', 0.01, 0.3)",
      moreFacilities: 0.8,
    })})`,
};
