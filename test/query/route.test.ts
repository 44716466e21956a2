import { expect, test } from 'vitest';
import { resolveRoute } from '../../site/query/route.ts';

test.each([
  ['/', { kind: 'service' }],
  ['/healthz', { kind: 'document', path: 'healthz.json' }],
  ['/healthz.json', { kind: 'file', path: 'healthz.json' }],
  ['/api/v1/datasets', { kind: 'document', path: 'api/v1/datasets/index.json' }],
  ['/api/v1/datasets/', { kind: 'folder', path: 'api/v1/datasets/index.html' }],
  ['/api/v1/datasets/a', { kind: 'file', path: 'api/v1/datasets/a' }],
  ['/api/v1/datasets/a/b', { kind: 'schema', domain: 'a', topic: 'b' }],
  ['/api/v1/datasets/a/b/contract', { kind: 'contract', domain: 'a', topic: 'b' }],
  ['/api/v1/datasets/a/b/contract.yaml', { kind: 'file', path: 'api/v1/datasets/a/b/contract.yaml' }],
  ['/api/v1/datasets/a/b/other', { kind: 'file', path: 'api/v1/datasets/a/b/other' }],
  ['/api/v1/a/b', { kind: 'facts', domain: 'a', topic: 'b' }],
  ['/api/v1/a/b/', { kind: 'folder', path: 'api/v1/a/b/index.html' }],
  ['/api/v1/a/b/values', { kind: 'values', domain: 'a', topic: 'b' }],
  ['/api/v1/a/b/year%3D2024/c.csv', { kind: 'file', path: 'api/v1/a/b/year=2024/c.csv' }],
  ['/api/v1/a/_dimensions/c', { kind: 'dimension', domain: 'a', name: 'c' }],
  ['/api/v1/a/_dimensions/c/schema', { kind: 'dimension-schema', domain: 'a', name: 'c' }],
  ['/api/v1/a/_dimensions/c/rows.csv', { kind: 'file', path: 'api/v1/a/_dimensions/c/rows.csv' }],
  ['/api/v1/a', { kind: 'file', path: 'api/v1/a' }],
  ['/api/v1/openapi/json', { kind: 'file', path: 'api/v1/openapi/json' }],
  ...[
    ...'//evil.test/ /api//v1 /../etc/passwd /api/../../etc/passwd /%2e%2e/etc/passwd /..%2f..%2fetc/passwd'.split(
      ' ',
    ),
    ...'/%252e%252e/etc/passwd /api/v1/%2e/x /a%00b /a\0b /a\\b /a%5cb /%ff /% /a%0d%0aSet-Cookie:x /C:/windows /é'.split(
      ' ',
    ),
    '/a b',
  ].map(path => [path, { kind: 'unknown' }] as const),
] as const)('%j', (path, route) => {
  expect(resolveRoute(path)).toEqual(route);
});
