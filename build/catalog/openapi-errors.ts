/** Examples for openapi.json: requests that an edge refuses, and its answers. Pure. */

import type { Json } from '../format/json.ts';
import { API_ROOT, route } from '../format/paths.ts';
import type { SchemaDocument } from '../format/schema.ts';
import type { ErrorExamples } from './openapi-components.ts';

/** Null if the tree has no dataset. */
export function errorExamples(schema: SchemaDocument | undefined): ErrorExamples | null {
  if (schema === undefined) return null;
  const { main_topic: domain, topic, year_max: year } = schema;
  const path = route.facts(domain, topic);
  const wrong = `${topic}x`;
  const parameters = [...schema.filters.map(filter => filter.param), 'limit', 'offset', 'format'];
  return {
    notFound: example('unknown_dataset', `${route.schema(domain, wrong)}`, {
      detail: `There is no dataset ${domain}/${wrong}. Did you mean ${domain}/${topic}? /${API_ROOT}/datasets lists all.`,
    }),
    validation: example('unknown_parameter', `${path}?yaer=${year}`, {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['query', 'yaer'],
          msg: "Unknown parameter. Did you mean 'year'?",
          input: String(year),
          ctx: { expected: parameters, nearest: 'year', url: `${path}?year=${year}` },
        },
      ],
    }),
  };
}

function example(name: string, url: string, value: Json): Json {
  return { [name]: { summary: `GET ${url}`, value } };
}
