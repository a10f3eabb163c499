import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { fileReply, type Site } from './site.ts';

export const getClientFileRoute = endpoint({
  operationId: 'getClientFile',
  method: 'GET',
  path: '/clients/{client_file}',
  tag: 'Documentation',
  summary: 'A license client for apps, the leases that test one, or what hands in releases',
  description:
    'Each client is one source file, to be copied into an app. The guide at /docs names them and shows how to begin. `release.sh` and `release.yml` hand in a release from a build machine, as /docs/updates shows.',
  audience: 'anyone',
  success: {
    status: 200,
    contentType: 'text/plain',
    otherContentTypes: ['text/javascript', 'application/json'],
    description: 'The file. JavaScript and JSON have a content type of their own.',
  },
  cacheSeconds: 300,
  errors: ['route_not_found'],
  handle({ params, headers }, c: { site: Site }) {
    const file = c.site.get(`clients/${params.clientFile}`);
    if (!file) throw new AppError('route_not_found');
    return fileReply(file, headers['accept-encoding']);
  },
});
