/** Renders the documents for other tools: catalogs, citations, crawlers. */
import { croissantDocument } from '../catalog/croissant.ts';
import { dataCatalog } from '../catalog/data-catalog.ts';
import { dataPackage } from '../catalog/data-package.ts';
import { dataCiteDocument } from '../catalog/datacite.ts';
import { documentText } from '../catalog/document-text.ts';
import { jsonLdDocument } from '../catalog/json-ld.ts';
import { linksetDocument } from '../catalog/linkset.ts';
import { mirrorScript } from '../catalog/mirror-script.ts';
import { roCrateDocument } from '../catalog/ro-crate.ts';
import { citationText, llmsText, robotsText, sitemapXml } from '../catalog/signposts.ts';
import type { TreeDescription } from '../catalog/tree-description.ts';
import { croissantPath, jsonLdPath, linksetPath, ROOT } from '../format/paths.ts';
import type { DescriptionInput } from './description-documents.ts';

export function describeTree(input: DescriptionInput, date: string, release: string): TreeDescription {
  const { publisher, sample, extract, baseUrl, pages, datasets, dimensions, described } = input;
  return {
    publisher,
    date,
    release,
    sample,
    extract,
    baseUrl,
    pages,
    datasets: datasets.map(({ schema, manifest, entry, errata }) => ({
      schema,
      errata,
      manifest,
      modified: entry.modified.slice(0, 10),
    })),
    dimensions: described.flatMap(({ dimension, domains }) => {
      const [domain] = domains;
      const record = dimensions.find(
        one => one.domain === domain && one.manifest.dimension === dimension.name,
      );
      return record === undefined ? [] : [{ dimension, domain: record.domain, manifest: record.manifest }];
    }),
  };
}

export function metadataTexts(tree: TreeDescription): [string, string][] {
  const sitemap = sitemapXml(tree);
  return [
    [ROOT.catalog, documentText(dataCatalog(tree))],
    [ROOT.dataPackage, documentText(dataPackage(tree))],
    [ROOT.citation, citationText(tree)],
    [ROOT.dataCite, documentText(dataCiteDocument(tree) as object)],
    [ROOT.roCrate, documentText(roCrateDocument(tree) as object)],
    [ROOT.llms, llmsText(tree)],
    [ROOT.robots, robotsText(tree)],
    [ROOT.mirror, mirrorScript(tree.baseUrl)],
    ...(sitemap === null ? [] : [[ROOT.sitemap, sitemap] as [string, string]]),
    ...tree.datasets.flatMap((dataset): [string, string][] => {
      const { main_topic: domain, topic } = dataset.schema;
      return [
        [jsonLdPath(domain, topic), documentText(jsonLdDocument(tree, dataset) as object)],
        [croissantPath(domain, topic), documentText(croissantDocument(tree, dataset) as object)],
        [linksetPath(domain, topic), documentText(linksetDocument(tree, dataset) as object)],
      ];
    }),
  ];
}
