/** What a filter of each kind asks for, and whether values.json lists the values of its column. */
export const FILTER_KINDS = {
  year_exact: { asks: 'rule', isListed: true },
  year_range: { asks: 'rule', isListed: false },
  detail: { asks: 'rule', isListed: true },
  foreign_key: { asks: 'key', isListed: true },
  categorical: { asks: 'key', isListed: true },
  dimension_attribute: { asks: 'key', isListed: true },
  // A time column may have as many values as rows.
  time: { asks: 'key', isListed: false },
  range: { asks: 'end', isListed: false },
  place: { asks: 'place', isListed: true },
} as const;
