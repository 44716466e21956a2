/** The envelope of a stored JSON page (FORMAT.md, section 3). */
import type { Dataset, Dimension, Publisher } from '../contract/dataset.ts';
import { type DimensionEnvelope, type FactEnvelope, PAGE_ROWS } from '../format/documents.ts';
import { SAMPLE_NOTICE } from '../format/envelope.ts';
import type { DatasetManifest, DimensionManifest } from '../format/manifest.ts';
import { NO_YEAR } from '../format/paths.ts';
import type { Page } from './rows-writer.ts';

/** The fields that an envelope shares with manifests. */
export type EnvelopeStamp = Pick<
  DatasetManifest & DimensionManifest,
  'version' | 'schema_hash' | 'license' | 'attribution' | 'sample'
>;

export function envelopeStamp(
  { version, schemaHash }: Dataset | Dimension,
  { license, attribution }: Publisher,
  sample: boolean,
): EnvelopeStamp {
  return {
    version,
    schema_hash: schemaHash,
    license,
    attribution,
    ...(sample ? { sample: true as const } : {}),
  };
}

export function sliceEnvelope(
  { dataset, ...stamp }: EnvelopeStamp & Pick<DatasetManifest, 'dataset'>,
  { year, detail }: { readonly year: number; readonly detail: string },
  release: string,
  page: Page,
): FactEnvelope {
  return {
    dataset,
    ...stampFields(stamp, release),
    detail,
    years: year === NO_YEAR ? [] : [year],
    filters: {},
    ...pageFields(stamp, page),
  };
}

export function dimensionEnvelope(
  { dimension, ...stamp }: EnvelopeStamp & Pick<DimensionManifest, 'dimension'>,
  release: string,
  page: Page,
): DimensionEnvelope {
  return { dimension, ...stampFields(stamp, release), ...pageFields(stamp, page) };
}

function stampFields({ version, schema_hash, license, attribution, sample }: EnvelopeStamp, release: string) {
  return { version, schema_hash, release, license, attribution, ...(sample ? { sample } : {}) };
}

function pageFields({ sample }: EnvelopeStamp, { total, offset, count, next }: Page) {
  return { total, offset, limit: PAGE_ROWS, count, next, notices: sample ? [SAMPLE_NOTICE] : [] };
}
