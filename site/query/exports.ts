/** `civic-data-service/query`: from a request and a tree's documents to the files that answer it, and what is left to do. */
export type { Plan } from './plan.ts';
export { planRequest } from './plan.ts';
export { type Pair, parseQuery } from './query-string.ts';
export { type ParsedRequest, parseRequest } from './request.ts';
export { type Route, resolveRoute } from './route.ts';
export { renderSql } from './sql.ts';
export type { Table } from './table.ts';
export { prepareDataset, prepareDimension } from './table.ts';
