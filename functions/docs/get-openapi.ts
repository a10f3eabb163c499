import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { fileReply, type Site } from './site.ts';

export const getOpenApiRoute = endpoint({
  operationId: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Documentation',
  summary: 'Describes this interface in OpenAPI 3.1',
  description: 'Made from the same routes and schemas as the service itself.',
  audience: 'anyone',
  success: { status: 200, contentType: 'application/json', description: 'This description.' },
  cacheSeconds: 300,
  errors: [],
  handle({ headers }, c: { site: Site }) {
    const file = c.site.get('openapi.json');
    if (!file) throw new AppError('internal_error');
    return fileReply(file, headers['accept-encoding']);
  },
});
