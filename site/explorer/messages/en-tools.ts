/** The texts of the scripts of the SQL, API and check pages: see en.ts. */
import { formatCount } from './numbers.ts';

export const tools = {
  api: {
    described: (service: string) =>
      `Every route and parameter of the API of ${service}, with a request of each.`,
    lead: 'Programs request data by address. You can open every address on this page in a browser too.',
    version: (version: string, routes: string) =>
      `Version ${version}, ${routes}. For programs: {openapi} (OpenAPI 3.1), {files}.`,
    allFiles: 'all files',
    howItWorks: 'How it works',
    steps: () => [
      'Choose a dataset below. Its first route returns rows: `year` and `detail` choose the year and the level, and the other parameters filter the rows.',
      'Values separated by commas match any of them. A row must match every parameter. No value matches a row whose column is NULL: leave the parameter out to get those rows too.',
      `\`format\` is \`json\`, \`csv\` or \`parquet\`. A JSON answer has at most ${formatCount(10_000)} rows, and its \`next\` is the address of the rows that follow.`,
      'NULL is never zero: each column says what its NULL means. Codes are text: keep their leading zeros.',
    ],
    errors: 'Errors',
    noParameters: 'This route takes no parameters.',
    example: 'Example: {request}',
    parametersOf: (path: string) => `Parameters of ${path}`,
    parameter: 'Parameter',
    effect: 'What it does',
    required: 'required',
    any: (type: string) => type,
    anySeveral: (type: string) => `${type}, or several`,
    oneOf: 'one of {values}',
    oneOfSeveral: 'one of {values}, or several',
    default: 'default {value}',
    requestOf: (path: string) => `Request of ${path}`,
    open: 'Open the address',
  },
  sql: {
    described: (service: string) => `SQL over every dataset of ${service}, computed in your own browser.`,
    lead: (size: string) =>
      `Ask the published data any question. Your browser computes the answer: it fetches the tables that the question names, each once, and sends nothing. The first query also loads the database, ${size}; the browser keeps it.`,
    withoutScript:
      'The console needs JavaScript. Without it, load {file} into your own DuckDB to query the same tables.',
    tables: 'Tables',
    advice:
      'Write SQL for {duckdb}. Each dataset is a table; its column `detail` names the level of a row. A table that is too large for a browser can be queried in your own DuckDB with {file}. Many rows are totals of other rows, so add up only rows that do not overlap.',
    dimensions: 'Dimensions',
    level: 'Level of detail',
    columnOf: (dimension: string) => `of ${dimension}`,
    meaning: 'What its columns and NULLs mean',
    columnsOf: (table: string) => `Columns of ${table}`,
    type: 'Type',
    about: 'What it is',
    statement: 'SQL statement',
    run: 'Run',
    hint: '{keys} also runs the query.',
    failed: 'The query failed.',
    cancelled: 'Cancelled.',
    seconds: (rows: string, seconds: string) => `${rows}. ${seconds} s.`,
    firstRows: (rows: string, seconds: string) =>
      `The first ${rows}; there are more. Add a LIMIT, or group the rows. ${seconds} s.`,
    ask: 'Ask this',
    askExample: (description: string) => `Ask this: ${description}`,
    readRows: 'The first rows of the answer, as many as this page read.',
    allRows: 'All rows of the answer, with all their columns.',
  },
  check: {
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
    missing: (file: string) => `${file} is missing.`,
    notJson: (file: string) => `${file} is damaged: it is not JSON.`,
    noSums: (sums: string, file: string) => `${sums} is missing, so nothing says which hash ${file} has.`,
    hasHash: (file: string, release: string, sums: string, hash: string) =>
      `${file} of release ${release} has the hash that ${sums} lists: ${hash}.`,
    otherHash: (file: string, sums: string, hash: string) =>
      `${file} has the hash ${hash}, and ${sums} lists another.`,
    noDataset: (file: string, dataset: string) => `${file} lists no dataset ${dataset}.`,
    notListed: (file: string, list: string) => `${file} is not the file that ${list} lists.`,
    datasetListed: (dataset: string, list: string) =>
      `The manifest of ${dataset} has the hash that ${list} lists.`,
    filesSound: (files: string, size: string) =>
      `All ${files} ${files === '1' ? 'file' : 'files'} of the dataset (${size}) have the hashes that its manifest lists.`,
    filesDamaged: (damaged: string, files: string, names: string) =>
      `${damaged} of ${files} ${files === '1' ? 'file' : 'files'} are missing or have other bytes than the manifest lists: ${names}.`,
    noKey: 'The text that you gave is no public key. It has the form name+id+key.',
    notSigned: 'Nobody signed this release: the tree has no log.',
    notSignedByKey: 'Nobody signed this release: the tree has no log, although its publisher has a key.',
    noCheckpoint: (file: string) => `${file} is missing or is no signed checkpoint.`,
    longLog: 'The log is too long for this page. Use civic verify.',
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
};

export type Tools = typeof tools;
