import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chunkNames } from './assets.ts';
import { type Console, clientIdOf } from './console.ts';
import { workerHeaders } from './security-headers.ts';

export const getConsoleAssetRoute = endpoint({
  operationId: 'getConsoleAsset',
  method: 'GET',
  path: '/console/assets/{name}',
  tag: 'Pages',
  summary: 'A script, the style sheet or the icon of the console',
  audience: 'anyone',
  isSameOrigin: true,
  success: { status: 200, contentType: 'application/octet-stream', description: 'The asset, in its own content type.' },
  errors: ['route_not_found'],
  async handle({ params: { name } }, console: Console) {
    clientIdOf(console);
    const isPart = chunkNames.some((part) => name.startsWith(part.replace(/js$/, '')));
    if (isPart && !console.assets.find(name)?.current) throw new AppError('route_not_found');
    return console.assets.reply(name, name.startsWith('hash-worker.') ? workerHeaders : {});
  },
});
