/** Examples for openapi.json: requests that an edge refuses, and its answers. Pure. */

import { PLAIN_RULES } from '../format/grammar.ts';
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
  // A dataset without time has no parameter `year`.
  const [misspelt, meant, input] =
    year === null ? ['detial', 'detail', schema.default_detail] : ['yaer', 'year', String(year)];
  const parameters = [...schema.filters.map(filter => filter.param), ...PLAIN_RULES.map(rule => rule.name)];
  return {
    notFound: example('unknown_dataset', `${route.schema(domain, wrong)}`, {
      detail: `There is no dataset ${domain}/${wrong}. Did you mean ${domain}/${topic}? /${API_ROOT}/datasets lists all.`,
    }),
    validation: example('unknown_parameter', `${path}?${misspelt}=${input}`, {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['query', misspelt],
          msg: `Unknown parameter. Did you mean '${meant}'?`,
          input,
          ctx: { expected: parameters, nearest: meant, url: `${path}?${meant}=${input}` },
        },
      ],
    }),
  };
}

function example(name: string, url: string, value: Json): Json {
  return { [name]: { summary: `GET ${url}`, value } };
}
