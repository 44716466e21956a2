/** `civic-data-service/query`: turns a request and a tree's documents into the files to read and what is left to do. */
export type { Plan } from './plan.ts';
export { planRequest, renderSql } from './plan.ts';
export { type Pair, parseQuery } from './query-string.ts';
export { type ParsedRequest, parseRequest } from './request.ts';
export { type Route, resolveRoute } from './route.ts';
export type { Table } from './table.ts';
export { prepareDataset, prepareDimension } from './table.ts';
