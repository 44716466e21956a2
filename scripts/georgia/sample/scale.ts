/** How much of the invented state a lake holds. Years, levels, groups and eras are complete at either scale. */
export type Scale = 'small' | 'full';

export const scales: readonly Scale[] = ['small', 'full'];

/** How many places of each kind the invented state has. */
export interface Extent {
  /** One county in so many has districts, schools and tracts. */
  readonly countyStep: number;
  /** Bodies of each kind that is not a county or city district. */
  readonly serviceAgencies: number;
  readonly stateCharters: number;
  readonly commissionCharters: number;
  readonly stateSchools: number;
  readonly schools: number;
  readonly tracts: number;
  readonly blockGroups: number;
}

const extents: Readonly<Record<Scale, Extent>> = {
  small: {
    countyStep: 14,
    serviceAgencies: 1,
    stateCharters: 1,
    commissionCharters: 1,
    stateSchools: 1,
    schools: 64,
    tracts: 60,
    blockGroups: 160,
  },
  full: {
    countyStep: 1,
    serviceAgencies: 16,
    stateCharters: 20,
    commissionCharters: 36,
    stateSchools: 4,
    schools: 2300,
    tracts: 2796,
    blockGroups: 7446,
  },
};

export function extentOf(scale: Scale): Extent {
  return extents[scale];
}
