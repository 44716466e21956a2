import type { SearchDimension } from '../../site/explorer/view/search-document.ts';

/** Places of a dimension: `name,parent's name,key,…`. */
export function searchDimension(
  [id = '', kind = '', title = '', domain = '']: readonly string[],
  key: readonly string[],
  places: readonly string[],
): SearchDimension {
  const named = { id, name: id, kind, title, domain, key, datasets: [] };
  return { ...named, places: places.map(place => place.split(',')) };
}
