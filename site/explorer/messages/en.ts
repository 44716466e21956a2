/** Every text of the interface, by the part of the page that shows it. Publishers' own texts aren't here. */
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
};

export type Messages = typeof en;
