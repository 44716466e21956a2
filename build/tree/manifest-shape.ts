/** Checks that manifests match the format's schemas, so that their readers can rely on it. Pure. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import { type Shape, validatorOf } from '../contract/validator.ts';
import { FORMAT } from '../format/documents.ts';
import * as schemas from '../format/manifest-schemas.ts';

export interface ManifestShape<Manifest> extends Shape {
  /** Always absent; ties a shape to its type. */
  readonly manifest?: Manifest;
}

function shapeOf<Manifest>(name: string, schema: object): ManifestShape<Manifest> {
  return { name, schema, errors: 'first' };
}

export const TREE_MANIFEST = shapeOf<schemas.TreeManifest>('TreeManifest', schemas.TreeManifest);
export const DATASET_MANIFEST = shapeOf<schemas.DatasetManifest>('DatasetManifest', schemas.DatasetManifest);
export const DIMENSION_MANIFEST = shapeOf<schemas.DimensionManifest>(
  'DimensionManifest',
  schemas.DimensionManifest,
);

/** Null if the manifest matches. */
export function misshapen<Manifest>(shape: ManifestShape<Manifest>, value: unknown): string | null {
  const validate = validatorOf(shape);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  const { missingProperty: missing } = (error?.params ?? {}) as { readonly missingProperty?: string };
  const wrong = `${error?.instancePath ?? ''}${missing === undefined ? '' : `/${missing}`}`;
  return wrong === ''
    ? `is not a JSON manifest of ${FORMAT}`
    : `does not have the shape of ${FORMAT}: its ${memberName(wrong)} is missing or invalid`;
}

/** `/slices/0/files` as `slices[0].files`. */
function memberName(pointer: string): string {
  return pointer
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .slice(1);
}

export function shapeDiagnostic(file: string, fault: string): Diagnostic {
  const message = `The file ${fault}. Copy the tree again, or use the program version that wrote it.`;
  return { severity: 'error', code: 'tree-manifest-shape', file, message };
}
