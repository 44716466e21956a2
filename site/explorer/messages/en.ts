/**
 * All texts of the interface, by the part of the page that shows them. Publishers' own texts aren't here. A
 * count that comes as a text is already formatted, such as `1,234`. `{name}` is replaced by an element, and
 * backticks mark code.
 */
import { CHANGE_WORDS } from '../../../build/format/change-words.ts';
import { extractNotice, SAMPLE_NOTICE } from '../../../build/format/envelope.ts';
import { countOf, formatCount } from './numbers.ts';

function ordinal(position: number): string {
  const isTeen = position % 100 > 10 && position % 100 < 14;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][position % 10] ?? 'th');
  return `${position}${ending}`;
}

/** The texts of the scripts of all pages. */
export const said = {
  frame: {
    sample: SAMPLE_NOTICE,
  },
  /** Nouns that several parts show. */
  nouns: {
    figure: 'Figure',
    year: 'Year',
    years: 'Years',
    rows: 'Rows',
    dataset: 'Dataset',
    version: 'Version',
    release: 'Release',
    source: 'Source',
    attribution: 'Attribution',
    column: 'Column',
    columns: 'Columns',
    places: 'Places',
    values: 'Values',
    answer: 'Answer',
    licence: 'Licence',
    quality: 'Quality',
    explore: 'Explore the data',
  },
  counts: {
    rows: (count: number) => countOf(count, 'row'),
    years: (count: number) => countOf(count, 'year'),
    datasets: (count: number) => countOf(count, 'dataset'),
    figures: (count: number) => countOf(count, 'figure'),
    places: (count: number) => countOf(count, 'place'),
    rules: (count: number) => countOf(count, 'rule'),
    routes: (count: number) => countOf(count, 'route'),
  },
  search: {
    form: 'Data and places',
    field: 'Search for a place or a subject',
    results: 'Results',
    readAs: (written: string, read: string) => `“${written}” was read as “${read}”.`,
    unknown: (word: string) => `Nothing here is called “${word}”.`,
    found: (count: string) => `${count} ${count === '1' ? 'result' : 'results'} found.`,
    more: (count: string) => `And ${count} more: add a word to find fewer.`,
    dataset: 'dataset',
    viewOf: 'A view of {dataset}',
    viewAbout: (about: string) => `A view of {dataset}, ${about}`,
    withdrawn: 'Withdrawn',
  },
  code: {
    copy: 'Copy',
    copied: 'Copied',
    select: 'Select and copy',
    block: 'code',
  },
  embed: {
    figures: 'Figures',
    published: (service: string, release: string, version: string) =>
      `{dataset}, ${service}, release ${release}, version ${version}.`,
    correction: (date: string, wrong: string) => `Correction of ${date}: ${wrong}`,
    newer: (own: string, now: string) =>
      `These are the figures of release ${own}. Release ${now} has newer ones.`,
    current: 'See the current figures',
    paste: 'Paste this into a page to show this view in it',
    latest: 'This host keeps one release at a time, so the frame always shows the figures of the latest one.',
    fixed: (release: string) =>
      `The frame stays with release ${release}, and says when newer figures or corrections exist.`,
  },
  figure: {
    described: 'One figure, with every value that it had and its citation. The page needs JavaScript.',
    changed: (now: string) => `This was published then. Today it is: ${now}`,
    history: 'Every value that it had',
    why: 'Why it changed',
    rules: 'Rules that ran on it',
    rowGroup: (number: number) => `Row group ${number}`,
    log: 'Signed log',
    cite: 'How to cite this figure',
  },
  rules: { rule: 'Rule', result: 'Result', passed: 'passed', warned: 'warning', skipped: 'not run' },
  place: {
    lookingUp: 'Looking up the place…',
    unknown: 'No such place here. Its code may differ in this release: search for its name.',
    progress: (done: string, datasets: string) => `${done} of ${datasets} read…`,
    noFigure: (kind: string) => `No dataset has a figure of this ${kind} alone.`,
    found: (figures: string, datasets: string) => `${figures} in ${datasets}.`,
    save: 'Save all as CSV',
    showAll: 'Show all figures',
    unread: (datasets: string, why: string) => `${datasets} could not be read. ${why}`,
    figuresOf: (place: string) => `All figures of ${place}`,
    here: (places: string) => `${places} here`,
    liesIn: 'What the place lies in',
    code: (code: string) => `code ${code}`,
    all: (count: string) => `All ${count}`,
    alike: 'Places like it',
    closest: (measure: string, dataset: string, year: string) =>
      `Closest in “${measure}” (${dataset}, ${year}).`,
    whole: 'The whole',
    newest: 'Newest',
    sinceYearBefore: 'Since the year before',
    change: 'Change',
    rankHighest: 'Rank, highest first',
    rank: 'Rank',
    severalAYear: 'several a year',
    notRead: 'not read',
  },
  explore: {
    problems: 'This page could not use part of its address:',
    filesBelow: 'You can still download the files below.',
    cancelled: 'Cancelled. The view does not show your last choice.',
    drawn: (view: string, title: string, summary: string) => `${view}: ${title}. ${summary}`,
  },
  table: {
    moreThan: (rows: string) => `More than ${rows}`,
    scroll: (count: string) => `The first ${count} are here; scroll down to read the others.`,
    readAll: 'Read all rows',
    rowsOf: (dataset: string) => `Rows of ${dataset}`,
    legend: 'What “no figure” and “–” mean',
  },
  progress: {
    plan: 'Finding the files',
    fetch: 'Fetching',
    start: 'Loading the database, once',
    compute: 'Computing',
    of: (done: string, all: string) => `${done} of ${all}`,
    cancel: 'Cancel',
  },
  save: {
    reading: 'Reading the rows…',
    written: (done: string, rows: string) => `${done} of ${rows} written…`,
    saved: (rows: string) => `${rows} saved.`,
    cancelled: 'Cancelled. Nothing was saved.',
    linkCopied: 'Copied the link to this view.',
    linkNotCopied: 'The browser does not allow copying here. Copy the address of this page.',
    openInSql: 'Open in SQL',
    sameRows: 'The same rows from the API',
    plainHost:
      'On a host that only serves files, this address returns a whole file or nothing. The downloads on this page always work.',
    noDrawing: 'The page could not draw the chart.',
    noPng: 'This browser could not create a PNG file. Save as SVG instead.',
  },
  workbook: {
    tooLong: () =>
      `An Excel worksheet holds at most ${formatCount(1_048_575)} rows, and a cell ${formatCount(32_767)} characters. Choose fewer rows, or save as CSV or Parquet.`,
    notes: 'Notes',
    address: 'Address',
    notice: 'Notice',
    inWords: (column: string) => `${column}, in words`,
    sample: 'Sample',
    count: 'Number of rows',
    usage: 'Usage',
    limitations: 'Limitations',
    name: 'Name',
    unit: 'Unit',
    emptyCell: 'An empty cell means',
    description: 'Description',
    notAtLevel: 'This level has no such value.',
  },
  errors: {
    retry: 'Try again',
    partMissing: 'A part of this page could not be loaded. Check the connection.',
    silent: (seconds: string) => `The host has sent nothing for ${seconds} seconds.`,
    unreachable: 'The host cannot be reached. Check the connection.',
    status: (status: string) => `The host answers with an error (status ${status}).`,
    unread: (why: string) => `The data could not be read. ${why}`,
    noDatabase: (why: string) => `The database could not be loaded. ${why}`,
    damagedDatabase: 'The file of the database is damaged.',
    mismatch: (_path: string, words: string) =>
      `${words}. A new release may be on its way: try again in a few minutes. If it stays like this, a file is damaged: please tell the publisher.`,
    noDataset: (key: string) => `There is no dataset ${key}.`,
    oneSelect: 'Only one SELECT can be asked here: nothing can be changed, loaded or set.',
    tooLarge: (table: string, rows: string) =>
      `The table ${table} has ${rows}, and this page cannot hold that many values. On your own machine, load api/v1/duckdb.sql of this site into DuckDB to query the same tables.`,
    noShapes: 'The host has no shapes for this map.',
  },
  sql: {
    statement: 'SQL statement',
    run: 'Run',
    hint: '{keys} also runs the query.',
    failed: 'The query failed.',
    cancelled: 'Cancelled.',
    seconds: (rows: string, seconds: string) => `${rows}. ${seconds} s.`,
    firstRows: (rows: string, seconds: string) =>
      `The first ${rows}; there are more. Add a LIMIT, or group the rows. ${seconds} s.`,
    readRows: 'The first rows of the answer, as many as this page read.',
  },
  check: {
    key: 'Public key (optional)',
    check: 'Check',
    sound: 'Sound',
    wrong: 'Wrong',
    unknown: 'Not checked',
    readingManifest: 'Reading the manifest.',
    readingFile: (at: string, files: string, done: string, all: string) =>
      `Reading file ${at} of ${files}: ${done} of ${all}.`,
    readingLog: 'Reading the log of releases.',
    cancelled: 'Cancelled. The check is not complete.',
    incomplete: (why: string) => `${why} The check is not complete.`,
    isWrong: 'Something is wrong. Do not use these figures before you know what.',
    isPartly: 'What was checked is sound. Not all could be checked.',
    isSound: 'Everything is sound: these are the files that the publisher signed.',
    damaged: (file: string) => `${file} is missing or damaged: it is not JSON.`,
    noSums: (sums: string, file: string) => `${sums} is missing, so nothing says which hash ${file} has.`,
    listed: (file: string, list: string, hash: string) => `${file} has the hash that ${list} lists: ${hash}.`,
    notListed: (file: string, list: string) => `${file} is not the file that ${list} lists.`,
    filesSound: (files: string, size: string) =>
      `All ${files} ${files === '1' ? 'file' : 'files'} of the dataset (${size}) have the hashes that its manifest lists.`,
    filesDamaged: (damaged: string, files: string, names: string) =>
      `${damaged} of ${files} ${files === '1' ? 'file' : 'files'} are missing or have other bytes than the manifest lists: ${names}.`,
    noKey: 'The text that you gave is no public key. It has the form name+id+key.',
    notSigned: 'Nobody signed this release: the tree has no log.',
    noCheckpoint: (file: string) => `${file} is missing or is no signed checkpoint.`,
    signedSays: (origin: string, key: string) =>
      `The log “${origin}” says that it is signed with the key ${key}. Give the publisher’s public key, from another place than this site, to check the signature.`,
    noEd25519: 'This browser cannot check Ed25519 signatures on this page. Use another one, or civic verify.',
    signed: (key: string, print: string) =>
      `The log is signed with the key ${key} that you gave. Its fingerprint (SHA-256) is ${print}.`,
    otherwiseSigned: (key: string, print: string) =>
      `The log is not signed with the key ${key} that you gave. Its fingerprint (SHA-256) is ${print}.`,
    otherRoot: 'The entries of the log do not give the root that its checkpoint states.',
    notInLog: (file: string, release: string) =>
      `The log does not hold the content of this ${file} as release ${release}.`,
    inLog: (release: string, at: string, size: string, file: string) =>
      `Release ${release} is entry ${at} of ${size} in the log of releases, with the content of this ${file}.`,
  },
  /** Numbers, units and years. */
  format: {
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
    /** `in 2024` */
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
    none: 'none',
    allYears: 'all years',
    from: (start: string) => `from ${start}`,
    upTo: (end: string) => `up to ${end}`,
    fromTo: (start: string, end: string) => `${start} to ${end}`,
    andMore: (names: string, more: string) => `${names} and ${more} more`,
    source: (source: string) => `Source: ${source}.`,
    version: (title: string, version: string, release: string) =>
      `${title}, version ${version}, release ${release}.`,
    licence: (licence: string) => `Licence: ${licence}.`,
    withdrawn: (date: string, reason: string) => `Withdrawn on ${date}: ${reason}`,
    noFigure: 'no figure',
    noRow: 'no row',
    unreliable: 'unreliable',
    noValueOf: (column: string) => `No ${column}`,
    nullMeans: (meaning: string) => `NULL means: ${meaning}`,
    nullFigure: 'No figure.',
    nullValue: 'No value.',
    start: (value: string) => `The axis begins at ${value}, not at zero.`,
  },
  /** `other` is a name, or a time such as `in 2023`. */
  difference: {
    more: (size: string, margin: string, other: string) => `${size} more${margin} than ${other}`,
    less: (size: string, margin: string, other: string) => `${size} less${margin} than ${other}`,
    /** Of things that are counted. */
    fewer: (size: string, margin: string, other: string) => `${size} fewer${margin} than ${other}`,
    same: (other: string) => `the same as ${other}`,
    unclear: (margin: string, other: string) => `no clear difference${margin} from ${other}`,
  },
  /** The sentence above a view. */
  sentence: {
    of: (count: string, level: string, isAmong: boolean) =>
      level === '' ? `Of ${count} figures` : `Of ${count} ${level}${isAmong ? ' with a figure' : ''}`,
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
    at: (position: number, of: string) => `${ordinal(position)} of ${of}`,
    between: (best: number, worst: number, of: string) => `${ordinal(best)} to ${ordinal(worst)} of ${of}`,
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
    /** Begins a sentence about a view. */
    shows: { chart: 'Lines show', bars: 'Bars show', map: 'The map shows', table: 'The table shows' },
    /** Why a dataset lacks a view. */
    absent: {
      chart: 'Lines need figures of two years or more, and this dataset has none',
      bars: 'This dataset has no figures to draw',
      map: 'The map has no shapes for the places of this dataset',
      table: '',
    },
    noPlaceOfLevel: (item: string) => `'${item}' names a level but no place`,
  },
  /** Choices that a change of the view dropped. */
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
    otherLevel: (level: string) => `The map only shows rows of the level “${level}”.`,
    noRows: 'No rows match your selection: not every value exists in every year and level.',
    rowsOnlyOf: (years: string) => `At this level there are only rows of ${years}.`,
    noFigures: (rows: string, figure: string) => `There is no figure for “${figure}” in ${rows}.`,
    noShapes: 'The map has no shape for any of these rows.',
    unmapped: (count: number, all: number, names: string) =>
      count === 1
        ? `1 of ${countOf(all, 'place')} isn't on the map, which has no shape there: ${names}. Its row is in the table.`
        : `${formatCount(count)} of ${countOf(all, 'place')} aren't on the map, which has no shape there: ${names}. Their rows are in the table.`,
    firstCharts: (drawn: number, all: number) =>
      `The first ${drawn} of ${countOf(all, 'chart')} are drawn. Choose the places that you want to compare.`,
    marks: (year: number, isShare: boolean) =>
      `The mark on a bar is ${year}; the number after the figure is the change since then${isShare ? ', in points' : ''}.`,
    margins: (label: string) => `Strokes show the margin of error (“${label}”).`,
    hiddenMargins: (lines: number) =>
      `Every figure has a margin of error. The chart shows it for up to ${lines} lines; the table below lists it.`,
    unreliableBar: 'A hatched bar is unreliable: its margin of error is more than half of its figure.',
    unreliablePoint: 'A hollow point is unreliable: its margin of error is more than half of its figure.',
    unreliablePlace: 'A dotted place is unreliable: its margin of error is more than half of its figure.',
    classes: 'Each colour has about the same number of places.',
    hatched: (meaning: string) => `Hatched places have no figure. ${meaning}`,
    ownScales: 'Each small chart has its own scale, since the figures differ much in size.',
    sameScale: 'All small charts have the same scale.',
    notComparable: (year: number, reason: string) =>
      `Figures up to ${year} are not comparable with later ones: ${reason}`,
    breakLabel: 'not comparable',
    gap: (unit: string, hasRange: boolean) =>
      `A gap in a line is a ${unit} without a published figure${hasRange ? ', or outside the chosen range' : ''}.`,
  },
  /** A dataset's view and its form. */
  panel: {
    showAs: 'Show the answer as',
    rankBy: 'Rank by',
    ranks: { value: 'figure', listed: 'listed order', change: 'change' },
    tooMany:
      'A chart cannot show this many rows. Choose places, fewer years or single values, or open the table, which shows them all.',
    chooseAnother: 'Choose another level, year, place or value.',
    readBars: (title: string) => `${title}: read off the bars with the arrow keys`,
    readLines: (title: string, unit: string) => `${title}: read off a ${unit} with the arrow keys`,
    readMap: (title: string) => `${title}: read off the places with the arrow keys, open one with Enter`,
    fewerBars: 'Show fewer bars',
    allBars: (count: string) => `Show all ${count} bars`,
    readingShapes: 'Reading the shapes…',
    asTable: 'Show the figures as a table',
    figures: 'Figures of the chart',
    firstFigures: (count: number) => `These are the first ${count} figures. The table view has all of them.`,
    question: 'What the view shows',
    level: 'Level',
    from: 'from',
    to: 'to',
    more: (filters: number) =>
      filters === 0 ? 'More choices' : `More choices (${countOf(filters, 'filter')} set)`,
    all: (count: string) => `All ${count}: type a name or code`,
    inGrey: (names: string) => `Show ${names} in grey`,
    addValue: 'Add another',
    matches: (count: number) => countOf(count, 'match', 'matches'),
    chosen: (label: string) => `${label}: chosen`,
    remove: (name: string) => `Remove ${name}`,
    total: 'total',
    any: 'Any',
    sideBySide: 'All, side by side',
    several: 'Several…',
    save: 'Save this',
    saves: {
      csv: 'CSV',
      xlsx: 'Excel',
      parquet: 'Parquet',
      png: 'Picture',
      svg: 'Picture as SVG',
      link: 'Copy link',
      embed: 'Embed',
      api: 'API request',
    },
  },
};

/** The texts that only the build writes. */
export const written = {
  layout: {
    skip: 'Skip to content',
    main: 'Main',
    data: 'Data',
    places: 'Places',
    sql: 'SQL',
    api: 'API',
    site: 'Site',
    searchLabel: 'Search data and places',
    search: 'Search',
    releases: 'Releases',
    releaseOf: (release: string, date: string) => `${release}, of ${date}`,
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
    extract: (only: string, release?: string) => extractNotice({ only, ...(release && { release }) }),
  },
  /** The singular: `county` for `counties`. */
  singular: (plural: string) =>
    plural.replace(/(?:(ss|sh|ch|x)es|ies|([^s])s)$/, (all, hiss = '', other = '') =>
      all === 'ies' ? 'y' : hiss + other,
    ),
  /** What a dimension's members are, by its title: `counties` for `Coast counties` in the area Coast. */
  kindIn: (title: string, area: string) =>
    title.startsWith(`${area} `) ? title.slice(area.length + 1) : null,
  front: {
    withdrawn: 'Withdrawn',
  },
  dataset: {
    onlyFiles: 'This dataset has no figures to draw: the files below have the rows.',
    about: 'What this says',
    noDescription: 'The contract gives no description.',
    rowMeaning: 'What a row is',
    usage: 'How to use it',
    limitations: 'Limitations',
    noLimitations: 'The contract states no limitations.',
    corrections: 'Corrections',
    coverage: 'Years and levels',
    columns: (count: string) => `Columns (${count})`,
    downloads: 'Downloads',
    changes: 'What changed, and when',
    code: 'For programs: API, SQL, R, Python',
    provenance: 'Source and licence',
    nullWithheld: 'NULL marks a figure that the source withheld: an empty field in CSV, null in JSON.',
    nullMissing: 'NULL marks a missing figure: an empty field in CSV, null in JSON.',
    zeroIsReal: 'A zero is a real zero.',
    zeroIsUnsure: 'A zero can also stand for an unknown figure.',
    unknownAddress: (address: string) =>
      `In this code, \`${address}\` stands for the address of this site. Replace it with the address that your browser shows. With JavaScript on, the page does this for you.`,
    codeFor: (name: string) => `Code for ${name}`,
  },
  columns: {
    meaning: 'What it means',
    unitAndType: 'Unit and type',
    nullMeans: 'NULL means',
    joined: 'Rows also carry these columns from the tables of places and groups: {columns}.',
    between: (least: string, most: string) => `${least} to ${most}`,
    atLeast: (least: string) => `at least ${least}`,
    atMost: (most: string) => `at most ${most}`,
    neverNull: 'never NULL',
    unknownNull: 'not known',
    allowed: 'Allowed values:',
    countAllowed: (count: string) => `${count} allowed ${count === '1' ? 'value' : 'values'}`,
    isTotal: '(the total of all other values)',
  },
  files: {
    notPublished: 'not published',
    allYears: 'All years in one file',
    allRows: 'All rows',
    byYear: 'One year at a time',
    advice: () =>
      `CSV opens in a spreadsheet: import the columns with codes as text, or they lose their leading zeros. JSON comes in pages of at most ${formatCount(10_000)} rows. Parquet is the smallest, and keeps the type of every column.`,
    filesOf: (level: string) => `Files of ${level}`,
    page: (format: string, page: string) => `${format}, page ${page}`,
    file: 'File',
    size: 'Size',
  },
  quality: {
    summary: (rules: string, passed: string, warned: string, skipped: string) =>
      `${rules} check these rows. For this release ${passed} passed, ${warned} gave a warning, and ${skipped} could not run. A rule that fails stops the publication.`,
    found: 'Found',
    about: 'About',
    derived: 'derived from the columns',
  },
  errata: {
    lead: 'Errors in earlier releases, newest first. The current files are corrected. For programs: {file}.',
    wrong: 'What was wrong',
    corrected: 'What was done',
    levels: 'Levels',
    releases: 'Releases with the error',
  },
  changes: {
    words: CHANGE_WORDS,
    lead: (since: string, date: string, isFirst: boolean) =>
      `What releases changed since ${since}${isFirst ? ', when the dataset was first published' : ''}. For programs: {list}; to follow: {feed}. The API answers \`as_of=${date}\` with the rows of that day.`,
    none: 'No release changed anything yet.',
    earlier: (count: string) => `changes.json lists ${count} earlier ones.`,
    forgotten: (date: string, reason: string) =>
      `Rows of earlier releases were taken back on ${date}: ${reason}`,
    why: (wrong: string, corrected: string) => `Why: ${wrong} ${corrected}`,
    rowsOf: (date: string) => `Rows that the release of ${date} changed`,
    added: 'added',
    removed: 'removed',
    firstRows: 'These are the first rows.',
  },
  source: {
    contractYaml: 'Contract (YAML)',
    contractJson: 'Contract (JSON)',
    schema: 'Schema',
    manifest: 'Manifest',
    croissant: 'Croissant',
    madeBy: 'Made by',
    publishedBy: 'Published by',
    updated: 'Updated',
    updatedOn: (frequency: string, date: string) => `${frequency}; last change ${date}`,
    nextBy: (date: string) => `next update expected by ${date}`,
    tags: 'Tags',
    versionOf: (version: string, release: string) => `${version}, release ${release}`,
    hash: 'Schema hash',
    documents: 'Documents',
    notStated: 'not stated',
  },
  citation: {
    name: 'Citation',
    text: (author: string, year: string, title: string, version: string, release: string, service: string) =>
      `${author} (${year}). ${title} (version ${version}, release ${release}) [Data set]. ${service}.`,
    note: (release: string) => `Data set, release ${release}.`,
  },
  snippets: {
    allRows: 'all rows',
    curl: (what: string) => `Downloads ${what} as CSV and checks that the file arrived unchanged.`,
    wget: 'Downloads every CSV file of the dataset, each into the folder of its year.',
    duckdb: (what: string) =>
      `Reads ${what} from the Parquet file in the current folder. The first line fetches the file. With DuckDB's httpfs extension you can write the address in place of the file name.`,
    pandas:
      'The code names the text columns, or pandas would read the code 007 as the number 7. Only an empty field is a missing value.',
    polars: 'The code names the text columns, so that codes keep their leading zeros.',
    r: 'Base R, without a package. The code names the text columns, so that codes keep their leading zeros.',
    powerQuery: (tooLong: boolean) =>
      `For Excel and Power BI: paste it into the advanced editor of a blank query. Every column has its type, so codes stay text.${tooLong ? ' The file has more rows than a worksheet: load it into the data model.' : ''}`,
    googleSheets: (tooLarge: boolean) =>
      `Paste it into an empty sheet; this site must be online. Sheets asks again every hour, reads codes as numbers (007 becomes 7) and refuses large files: to keep codes, save Excel above and open that.${tooLarge ? ' This file has more than the 10 million cells of a spreadsheet: choose fewer rows above.' : ''}`,
    javascript: (rows: string, what: string) =>
      `Fetches all ${rows} of ${what}, page by page. Runs in Node 18, Deno, Bun, or the browser console on this site.`,
  },
  withdrawn: {
    title: (title: string) => `${title} (withdrawn)`,
    gone: 'This site no longer publishes its rows.',
    instead: 'What to use instead',
    stays: 'What stays',
    contract: 'The contract still describes the rows: what a row was, its columns, its limitations.',
    notice: 'Withdrawal (JSON)',
    noReplacement: 'No dataset here replaces it.',
  },
  placesPage: {
    lead: 'Find a place, and see what every dataset says about it over the years.',
    none: 'No dataset here is about places.',
    countIn: (places: string, datasets: string) => `${places}, in ${datasets}`,
    list: 'List (CSV)',
    withoutScript:
      "This page needs JavaScript to collect the figures. Without it, download the files from each dataset's page.",
  },
  api: {
    described: (service: string) =>
      `Every route and parameter of the API of ${service}, with a request of each.`,
    lead: 'Programs request data by address. You can open every address on this page in a browser too.',
    version: (version: string, routes: string) =>
      `Version ${version}, ${routes}. For programs: {openapi} (OpenAPI 3.1), {files}.`,
    howItWorks: 'How it works',
    steps: () => [
      'Choose a dataset below. Its first route returns rows: `year` and `detail` choose the year and the level, and the other parameters filter the rows.',
      'Values separated by commas match any of them. A row must match every parameter. No value matches a row whose column is NULL: leave the parameter out to get those rows too.',
      `\`format\` is \`json\`, \`csv\` or \`parquet\`; servers also answer \`xlsx\` and \`md\`. A JSON answer has at most ${formatCount(10_000)} rows, and its \`next\` is the address of the rows that follow.`,
      'NULL is never zero: each column says what its NULL means. Codes are text: keep their leading zeros.',
    ],
    errors: 'Errors',
    noParameters: 'This route takes no parameters.',
    example: 'Example: {request}',
    parametersOf: (path: string) => `Parameters of ${path}`,
    parameter: 'Parameter',
    effect: 'What it does',
    required: 'required',
    oneOf: 'one of {values}',
    several: (what: string) => `${what}, or several`,
    default: 'default {value}',
    requestOf: (path: string) => `Request of ${path}`,
    open: 'Open the address',
  },
  sqlPage: {
    described: (service: string) => `SQL over every dataset of ${service}, computed in your own browser.`,
    lead: (size: string) =>
      `Ask the published data any question. Your browser computes the answer: it fetches the tables that the question names, each once, and sends nothing. The first query also loads the database, ${size}; the browser keeps it.`,
    withoutScript:
      'The console needs JavaScript. Without it, load {file} into your own DuckDB to query the same tables.',
    tables: 'Tables',
    advice:
      'Write SQL for {duckdb}. Each dataset is a table; its column `detail` names the level of a row. A table that is too large for a browser can be queried in your own DuckDB with {file}. Many rows are totals of other rows, so add up only rows that do not overlap.',
    dimensions: 'Dimensions',
    columnOf: (dimension: string) => `of ${dimension}`,
    meaning: 'What its columns and NULLs mean',
    columnsOf: (table: string) => `Columns of ${table}`,
    type: 'Type',
    ask: 'Ask this',
    askExample: (description: string) => `Ask this: ${description}`,
  },
  checkPage: {
    described: 'Check that the files are those that were published, and that no release was rewritten.',
    lead: 'Each file here has a published hash, and the list of hashes has a hash too. So a changed figure can be noticed.',
    here: 'In this browser',
    withoutScript: 'This part needs JavaScript. The next one does not.',
    elsewhere: 'On your own machine',
    mirror: 'Copy the files, as {file} does, and compare their hashes. Every system has a program for it:',
    hashes: 'Checking hashes',
    program:
      'The program that made this site checks more: that all formats of a table have the same rows, that the log is signed, and, against another copy, that no release was rewritten.',
    tree: 'Checking a tree',
    limits: 'What this does not show',
    limitsOf: [
      'Whether the figures are true. It shows that they are the published ones.',
      'Whether this page is honest: it comes from the same host as the figures. Anyone who can change the figures can also change the page. A copy on your own machine, and a key from another place, do not depend on it.',
      'Whether others see the same log as you. Compare it with a witness or with an earlier copy.',
    ],
    datasets: 'Datasets',
  },
};

export type Said = typeof said;

export type Written = typeof written;

export type Messages = Written & Said;
