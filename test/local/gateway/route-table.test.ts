import { expect, test } from '@jest/globals';
import { createRouteTable } from '../../../infra/local/gateway/route-table.ts';

const match = createRouteTable([
  'GET /c',
  'GET /c/{path+}',
  'GET /c/files/{name}',
  'GET /c/list',
  'POST /c/{id}/x',
  'ANY /d/{id}',
  'POST /d/{id}',
  'ANY /d/own',
  '$default',
]);

test.each([
  ['GET', '/c', 'GET /c', {}],
  ['GET', '/c/list', 'GET /c/list', {}],
  ['GET', '/c/files/a.js', 'GET /c/files/{name}', { name: 'a.js' }],
  ['GET', '/c/files', 'GET /c/{path+}', { path: 'files' }],
  ['GET', '/c/files/a/b', 'GET /c/{path+}', { path: 'files/a/b' }],
  ['GET', '/c/', 'GET /c/{path+}', { path: '' }],
  ['GET', '/c/a//b', 'GET /c/{path+}', { path: 'a//b' }],
  ['GET', '/c/%E3%81%82/x%2Fy', 'GET /c/{path+}', { path: 'あ/x/y' }],
  ['GET', '/c/%zz', 'GET /c/{path+}', { path: '%zz' }],
  ['POST', '/c/1/x', 'POST /c/{id}/x', { id: '1' }],
  ['POST', '/c/1', '$default', {}],
  ['GET', '/cc', '$default', {}],
  ['HEAD', '/c/list', '$default', {}],
  ['POST', '/d/1', 'POST /d/{id}', { id: '1' }],
  ['PUT', '/d/1', 'ANY /d/{id}', { id: '1' }],
  ['PROPFIND', '/d/own', 'ANY /d/own', {}],
  ['POST', '/d/own', 'ANY /d/own', {}],
  ['GET', '/d', '$default', {}],
])('%s %s goes to %s', (method, path, routeKey, pathParameters) => {
  expect(match(method, path)).toEqual({ routeKey, pathParameters });
});
