/** README.txt, for a person who finds the archive in twenty years and has nothing else. Pure. */
import type { ServiceDocument } from '../format/documents.ts';
import { oneLine } from '../format/shown-text.ts';

interface ReadmeInput extends Pick<ServiceDocument, 'service' | 'description' | 'license' | 'attribution'> {
  readonly release: string;
  readonly sampleNotice: string | null;
  /**
   * Null for an archive of the whole tree. `release`: that of the whole tree, null if it was never published.
   */
  readonly extract: { readonly release: string | null; readonly only: string } | null;
}

/** The first line of every README, by which `civic snapshot` recognizes its archives. */
export const README_HEAD = 'AN ARCHIVE OF A CIVIC DATA TREE';

export function readmeText(input: ReadmeInput): string {
  const { service, description, release, license, attribution, sampleNotice, extract } = input;
  const rights = [
    license === null ? 'The publisher states no licence.' : `Licence: ${license}.`,
    ...(attribution === null ? [] : [`Attribution: ${attribution}.`]),
  ].join(' ');
  return `${README_HEAD}
===============================

${oneLine(service)}
Release ${release}
${oneLine(description)}
${sampleNotice === null ? '' : `${sampleNotice}\n`}${
  extract === null
    ? ''
    : extract.release === null
      ? `This is an extract (${oneLine(extract.only)}) of the service, and complete in itself.
`
      : `This is an extract (${oneLine(extract.only)}) of release ${extract.release}, and complete in itself.
feed.xml, feed.json and release-notes.md describe the whole service.
`
}${oneLine(rights)}


WHAT THIS IS

A publisher's whole data service as plain files: every row of every dataset,
what every column means, and the rules that the rows were checked against.
You need no database and no special program to read it. Next to this README:

  data/                    the files, just as they were on the publisher's host
  FORMAT.md                the specification of every file in data/
  manifest-sha512.txt      a hash of every file in data/
  tagmanifest-sha512.txt   a hash of every other file
  bagit.txt, bag-info.txt  what makes this folder a BagIt bag (RFC 8493)

data/ is also a Research Object Crate (RO-Crate 1.2): data/ro-crate-metadata.json.


IS IT COMPLETE?

In this folder, with the programs that most systems have:

  sha512sum -c tagmanifest-sha512.txt
  sha512sum -c manifest-sha512.txt

(on a Mac: shasum -a 512 -c). Every line must end in OK. data/SHA256SUMS has
SHA-256 of the same files, for use within data/:  cd data; sha256sum -c SHA256SUMS


HOW TO READ IT

With a browser alone: open data/index.html and follow the links. Every folder
has such a page.

As it was on the web: serve data/ with any web server, and open the address
that it prints. The interactive pages then work too, and need no network:

  cd data; python3 -m http.server

With a program: three files hold the same rows of one dataset, year and level:

  data/api/v1/{domain}/{topic}/year={year}/{level}.json
  data/api/v1/{domain}/{topic}/year={year}/{level}.csv
  data/api/v1/{domain}/{topic}/year={year}/{level}.parquet

  .csv      text, a line a row, commas between; the first line names the columns
            (RFC 4180, UTF-8; NULL is an empty field, an empty text is "")
  .json     text (RFC 8259); rows are the list under "data", at most 10,000 in a
            file: {level}.page-2.json follows
  .parquet  Apache Parquet, compressed with Zstandard; the types are in the file
  .html     pages for people          .md, .txt  text
  .yaml     data contracts (ODCS v3): what each column means, its units, and
            what NULL means           .sql       views of all rows, for DuckDB

  data/api/v1/datasets/index.json                   all datasets
  data/api/v1/datasets/{domain}/{topic}/index.json  the columns of one
  data/manifest.json                                every file, with its hash

Codes are texts: keep their leading zeros. NULL means that there is no value,
never zero.


HOW TO CITE IT

data/CITATION.cff has the citation; data/datacite.json has the metadata for
registering a DOI.


HOW IT WAS PACKED

The program civic (Civic Data Service) wrote the archive with "civic snapshot".
The same release gives the same archive, byte for byte, on any machine: it
records no packing time, no owner and no machine name. The program is the npm
package civic-data-service: "npx civic-data-service verify" and the archive's or
this folder's name checks it, and "npx civic-data-service serve data" answers
the service's filtered queries from it.
`;
}
