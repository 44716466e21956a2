/** Every text of the interface, by the part of the page that shows it. Publishers' own texts aren't here. */
import { countOf, formatCount } from './numbers.ts';

function ordinal(position: number): string {
  const isTeen = position % 100 > 10 && position % 100 < 14;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][position % 10] ?? 'th');
  return `${position}${ending}`;
}

export const en = {
  /** The name of the language in itself. */
  language: 'English',
  frame: {
    skip: 'Skip to content',
    main: 'Main',
    data: 'Data',
    places: 'Places',
    sql: 'SQL',
    api: 'API',
    site: 'Site',
    searchLabel: 'Search data and places',
    searchPlaceholder: 'Data and places',
    search: 'Search',
    releases: 'Releases',
    sample: 'Synthetic sample data: no figure here describes a real place.',
    release: 'Release',
    releaseOf: (release: string, date: string) => `${release}, of ${date}`,
    licence: 'Licence',
    attribution: 'Attribution',
    contact: 'Contact',
    documentation: 'Documentation',
    howToCheck: 'How to check these figures',
    checksums: 'Checksums of all files',
    allFiles: 'List of all files',
    dataPackage: 'Data package',
    openapi: 'OpenAPI',
    howToCite: 'How to cite',
    whatChanged: 'What changed',
    filesHere: 'Files in this folder',
  },
  /** Numbers, units and years. */
  format: {
    'percentage points': (size: string) => `${size} percentage points`,
    points: (size: string) => `${size} points`,
    share: 'share of one (0.25 is 25%)',
    dollars: 'dollars',
    yes: 'yes',
    no: 'no',
    noYears: 'no years',
    without: (years: string, missing: string) => `${years}, without ${missing}`,
  },
  timeline: {
    nouns: { year: 'year', quarter: 'quarter', month: 'month', day: 'day', instant: 'moment' },
    quarter: (year: string, quarter: number) => `${year} Q${quarter}`,
    shortQuarter: (year: string, quarter: number) => `${year} Q${quarter}`,
    month: (year: string, month: string) => `${month} ${year}`,
    shortMonth: (year: string, month: string) => `${month} ${year}`,
    day: (year: string, month: string, day: number) => `${day} ${month} ${year}`,
    shortDay: (month: string, day: number) => `${day} ${month}`,
    /** A period in a sentence: `in 2024`. */
    during: {
      year: (label: string) => `in ${label}`,
      quarter: (label: string) => `in ${label}`,
      month: (label: string) => `in ${label}`,
      day: (label: string) => `on ${label}`,
      instant: (label: string) => `at ${label}`,
    },
  },
  /** Words that several parts of a view share. */
  words: {
    any: 'any',
    none: 'none',
    percent: 'percent',
    allYears: 'all years',
    from: (start: string) => `from ${start}`,
    upTo: (end: string) => `up to ${end}`,
    fromTo: (start: string, end: string) => `${start} to ${end}`,
    andMore: (names: string, more: string) => `${names} and ${more} more`,
    more: (count: string) => `And ${count} more.`,
    source: (source: string) => `Source: ${source}.`,
    version: (title: string, version: string, release: string) =>
      `${title}, version ${version}, release ${release}.`,
    licence: (licence: string) => `Licence: ${licence}.`,
    noFigure: 'no figure',
    noRow: 'no row',
    unreliable: 'unreliable',
    noValueOf: (column: string) => `No ${column}`,
    nullMeans: (meaning: string) => `NULL means: ${meaning}`,
    nullFigure: 'No figure.',
    nullValue: 'No value.',
    noneSaid: 'no figure is published',
    noneOfAll: 'No figure is published.',
    missing: (count: number) => `${countOf(count, 'has', 'have')} no published figure.`,
    start: (value: string) => `The axis begins at ${value}, not at zero.`,
  },
  /** The greatest and the least figure, for readers who don't see the drawing. `rivals`: others within the margins. */
  extremes: {
    highest: (named: string, rivals: number) =>
      rivals === 0
        ? `Highest: ${named}.`
        : `Highest estimate: ${named}, within the margins of ${countOf(rivals, 'other')}.`,
    lowest: (named: string, rivals: number) =>
      rivals === 0
        ? `Lowest: ${named}.`
        : `Lowest estimate: ${named}, within the margins of ${countOf(rivals, 'other')}.`,
  },
  /** `other` is a name, or a time as `in 2023`. */
  difference: {
    more: (size: string, margin: string, other: string) => `${size} more${margin} than ${other}`,
    less: (size: string, margin: string, other: string) => `${size} less${margin} than ${other}`,
    same: (other: string) => `the same as ${other}`,
    unclear: (margin: string, other: string) => `no clear difference${margin} from ${other}`,
  },
  /** The sentence above a view. */
  sentence: {
    of: (count: string, level: string, isAmong: boolean) =>
      [`Of ${count}`, level, isAmong ? 'with a figure' : ''].filter(part => part !== '').join(' '),
    highest: {
      is: (place: string, figure: string) => `${place} is highest (${figure})`,
      share: (count: string, figure: string) => `${count} share the highest figure (${figure})`,
    },
    estimatedHighest: {
      is: (place: string, figure: string) => `${place} is estimated highest (${figure})`,
      share: (count: string, figure: string) => `${count} share the estimated highest figure (${figure})`,
    },
    lowest: {
      is: (place: string, figure: string) => `${place} is lowest (${figure})`,
      share: (count: string, figure: string) => `${count} share the lowest figure (${figure})`,
    },
    /** The part before the greatest figure, that figure, and the part after it. */
    extremes: (of: string, greatest: string, least: string): readonly [string, string, string] => [
      `${of}, `,
      greatest,
      `, and ${least}.`,
    ],
  },
  /** The title of a view. */
  title: {
    in: (subject: string, places: string) => `${subject} in ${places}`,
    by: (groups: string) => `by ${groups}`,
    all: (level: string) => `all ${level}`,
  },
  rank: {
    at: (position: number, of: number) => `${ordinal(position)} of ${of}`,
    between: (best: number, worst: number, of: number) => `${ordinal(best)} to ${ordinal(worst)} of ${of}`,
  },
  places: {
    within: (kind: string, place: string) => `${kind} in ${place}`,
    noClearChange: 'no clear change',
    noChange: 'no change',
  },
  terms: {
    team: 'Team',
    support: 'Support',
    levels: 'Service levels',
    price: 'Price',
    per: (price: string, unit: string) => `${price} per ${unit}`,
  },
  /** The views of a dataset. */
  view: {
    names: { chart: 'Lines', bars: 'Bars', map: 'Map', table: 'Table' },
    /** The beginning of a sentence about what a view shows. */
    shows: { chart: 'Lines show', bars: 'Bars show', map: 'The map shows', table: 'The table shows' },
    /** Why a dataset may lack a view. */
    absent: {
      chart: 'Lines need figures of two years or more, and this dataset has none',
      bars: 'This dataset has no figures to draw',
      map: 'The map has no shapes for the places of this dataset',
      table: '',
    },
    noPlaceOfLevel: (item: string) => `'${item}' names a level, and no place of it`,
  },
  /** What a change of the view gave up. */
  lost: {
    places: (shows: string, names: string) => `${shows} all places of a level. No longer chosen: ${names}.`,
    periods: (shows: string, unit: string, period: string) => `${shows} one ${unit}: ${period}.`,
    values: (shows: string, label: string, value: string) => `${shows} one value of ${label} here: ${value}.`,
    absent: (names: string) => `This dataset has no rows about ${names}.`,
    beside: (shows: string, level: string, names: string) =>
      `${shows} rows of one level (${level}) without ${names}. Lines and bars show both.`,
  },
  /** Warnings for readers who add or compare rows. */
  notices: {
    pooling: (years: number) =>
      `Each figure pools ${years} years of answers. Figures less than ${years} years apart share answers, so their difference is not a yearly change.`,
    total: (total: string) =>
      `the rows show the total, “${total}”, next to its parts. Adding them counts the same twice.`,
    overlap: (groups: string) =>
      `the rows show more than one ${groups}, and such groups overlap. Adding them counts the same twice.`,
    noTotal: 'the rows show several values, and no total joins them. Read each on its own; do not add them.',
    several:
      'the rows show several values. Add them only if the dataset’s notes say that they do not overlap.',
  },
  /** Notes below a drawing, and words in it. */
  drawing: {
    figure: 'Figure',
    otherLevel: (level: string) => `The map only shows rows of the level “${level}”.`,
    noRows: 'No rows match your selection.',
    noFigures: (rows: string, figure: string) => `None of these ${rows} rows has a figure for “${figure}”.`,
    noShapes: 'The map has no shape for any of these rows.',
    unmapped: (count: number, all: number, names: string) =>
      count === 1
        ? `1 of ${countOf(all, 'place')} isn't on the map, which has no shape there: ${names}. Its row is in the table.`
        : `${formatCount(count)} of ${countOf(all, 'place')} aren't on the map, which has no shape there: ${names}. Their rows are in the table.`,
    greatestBars: (drawn: number, all: number) =>
      `The ${formatCount(drawn)} greatest of ${countOf(all, 'figure')} are drawn. The table has all of them.`,
    firstBars: (drawn: number, all: number) =>
      `The ${formatCount(drawn)} first of ${countOf(all, 'figure')} are drawn. The table has all of them.`,
    firstCharts: (drawn: number, all: number) =>
      `The first ${drawn} of ${countOf(all, 'chart')} are drawn. Choose the places that you want to compare.`,
    marks: (year: number) =>
      `The mark on a bar is ${year}; the number after the figure is the change since then.`,
    marksInPoints: (year: number) =>
      `The mark on a bar is ${year}; the number after the figure is the change since then, in points.`,
    median: (count: number, figure: string) =>
      `The dashed line is the median of ${countOf(count, 'figure')}: ${figure}.`,
    barMargins: (label: string) =>
      `Strokes across the ends of the bars show the margin of error (“${label}”).`,
    lineMargins: (label: string) => `Vertical strokes show the margin of error (“${label}”).`,
    hiddenMargins: (lines: number) =>
      `Every figure has a margin of error. The chart shows it for up to ${lines} lines; the table below lists it.`,
    unreliableBar: 'A hatched bar is unreliable: its margin of error is more than half of its figure.',
    unreliablePoint: 'A hollow point is unreliable: its margin of error is more than half of its figure.',
    unreliablePlace: 'A dotted place is unreliable: its margin of error is more than half of its figure.',
    classes: 'About as many places are in each class of colour.',
    hatched: (meaning: string) => `Hatched places have no figure. ${meaning}`,
    ownScales: 'Each small chart has its own scale, since the figures differ much in size.',
    sameScale: 'All small charts have the same scale.',
    notComparable: (year: number, reason: string) =>
      `Figures up to ${year} are not comparable with later ones: ${reason}`,
    breakLabel: 'not comparable',
    gap: (unit: string) => `A gap in a line is a ${unit} without a published figure.`,
    gapOrRange: (unit: string) =>
      `A gap in a line is a ${unit} without a published figure, or outside the chosen range.`,
  },
  map: { north: 'N', south: 'S', east: 'E', west: 'W' },
  /** An answer to SQL, as a dataset of its own. */
  answer: { title: 'Answer to a SQL query', area: 'All rows of the answer' },
  /** A dataset's view and its choices. */
  panel: {
    explore: 'Explore the data',
    showAs: 'Show the answer as',
    rankBy: 'Rank by',
    ranks: { value: 'figure', change: 'change' },
    tooMany:
      'A chart cannot show this many rows. Choose places, fewer years or single values, or open the table, which shows them all.',
    chooseAnother: 'Choose another level, year, place or value.',
    readBars: (title: string) => `${title}: read off the bars with the arrow keys`,
    readLines: (title: string, unit: string) => `${title}: read off a ${unit} with the arrow keys`,
    fewerBars: 'Show fewer bars',
    allBars: (count: string) => `Show all ${count} bars`,
    ranked: 'Places from the highest figure down',
    readingShapes: 'Reading the shapes…',
    asTable: 'Show the figures as a table',
    figures: 'Figures of the chart',
    firstFigures: (count: number) => `These are the first ${count} figures. The table view has all of them.`,
    question: 'What the view shows',
    figure: 'Figure',
    level: 'Level',
    places: 'Places',
    year: 'Year',
    from: 'from',
    to: 'to',
    compare: 'Compare',
    placesOnly: 'Places only',
    more: (filters: number) =>
      filters === 0 ? 'More choices' : `More choices (${countOf(filters, 'filter')} set)`,
    allPlaces: (count: string) => `All ${count}: type a name`,
    addPlace: 'Add a place',
    inGrey: (names: string) => `Show ${names} in grey`,
    allValues: 'All – type a name or code',
    addValue: 'Add another',
    toChoose: (count: string) => `${count} to choose from.`,
    matches: (count: number) => countOf(count, 'match', 'matches'),
    nothingCalled: (text: string) => `Nothing is called “${text}”. Type less, or another name or code.`,
    chosen: (label: string) => `${label}: chosen`,
    remove: (name: string) => `Remove ${name}`,
    removeRange: (label: string) => `Remove the range of ${label}`,
    total: 'total',
    any: 'Any',
    sideBySide: 'All values, side by side',
    several: 'Several…',
    values: (label: string, count: number) => `${label}: ${countOf(count, 'value')}`,
    noRows: 'no rows',
    emptyCells: 'What “no figure” and “–” mean',
    save: 'Save this',
    saves: {
      csv: 'CSV',
      xlsx: 'Excel',
      json: 'JSON',
      parquet: 'Parquet',
      png: 'Picture',
      svg: 'Picture as SVG',
      link: 'Copy link',
      embed: 'Embed',
      api: 'API request',
    },
  },
};

export type Messages = typeof en;
