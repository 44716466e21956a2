/** References to components of openapi.json, and JSON content. Pure. */
import type { Json } from '../format/json.ts';

export function reference(kind: 'schemas' | 'parameters' | 'responses', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

export function jsonContent(schema: Json): { readonly 'application/json': Json } {
  return { 'application/json': { schema } };
}
