import { expect, test } from 'vitest';
import { resolveRoute } from '../../site/query/route.ts';

test.each([
  ['/', { kind: 'service' }],
  ['/healthz', { kind: 'document', path: 'healthz.json' }],
  ['/healthz.json', { kind: 'file', path: 'healthz.json' }],
  ['/index.json', { kind: 'file', path: 'index.json' }],
  ['/SHA256SUMS', { kind: 'file', path: 'SHA256SUMS' }],
  ['/api/v1/datasets', { kind: 'document', path: 'api/v1/datasets/index.json' }],
  ['/api/v1/datasets/', { kind: 'folder', path: 'api/v1/datasets/index.html' }],
  ['/api/v1/datasets/census/employment', { kind: 'schema', domain: 'census', topic: 'employment' }],
  [
    '/api/v1/datasets/census/employment/contract',
    { kind: 'contract', domain: 'census', topic: 'employment' },
  ],
  [
    '/api/v1/datasets/census/employment/contract.yaml',
    { kind: 'file', path: 'api/v1/datasets/census/employment/contract.yaml' },
  ],
  [
    '/api/v1/datasets/census/employment/other',
    { kind: 'file', path: 'api/v1/datasets/census/employment/other' },
  ],
  ['/api/v1/census/employment', { kind: 'facts', domain: 'census', topic: 'employment' }],
  ['/api/v1/census/employment/', { kind: 'folder', path: 'api/v1/census/employment/index.html' }],
  ['/api/v1/census/employment/values', { kind: 'values', domain: 'census', topic: 'employment' }],
  ['/api/v1/census/employment/values.json', { kind: 'file', path: 'api/v1/census/employment/values.json' }],
  [
    '/api/v1/census/employment/year=2024/counties.csv',
    { kind: 'file', path: 'api/v1/census/employment/year=2024/counties.csv' },
  ],
  [
    '/api/v1/census/employment/year%3D2024/counties.csv',
    { kind: 'file', path: 'api/v1/census/employment/year=2024/counties.csv' },
  ],
  ['/api/v1/census/_dimensions/counties', { kind: 'dimension', domain: 'census', name: 'counties' }],
  [
    '/api/v1/census/_dimensions/counties/schema',
    { kind: 'dimension-schema', domain: 'census', name: 'counties' },
  ],
  [
    '/api/v1/census/_dimensions/counties/rows.csv',
    { kind: 'file', path: 'api/v1/census/_dimensions/counties/rows.csv' },
  ],
  ['/api/v1/census', { kind: 'file', path: 'api/v1/census' }],
  ['/api/v1/openapi/json', { kind: 'file', path: 'api/v1/openapi/json' }],
  ['/.well-known/x', { kind: 'file', path: '.well-known/x' }],
] as const)('%s', (path, route) => {
  expect(resolveRoute(path)).toEqual(route);
});

test.each([
  '//evil.test/',
  '/api//v1',
  '/../etc/passwd',
  '/api/../../etc/passwd',
  '/%2e%2e/etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/%252e%252e/etc/passwd',
  '/api/v1/%2e/x',
  '/a%00b',
  '/a\0b',
  '/a\\b',
  '/a%5cb',
  '/%ff',
  '/%',
  '/a b',
  '/a%0d%0aSet-Cookie:x',
  '/C:/windows',
  '/é',
])('%j names nothing', path => {
  expect(resolveRoute(path)).toEqual({ kind: 'unknown' });
});
