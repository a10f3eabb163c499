import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { type Console, clientIdOf } from './console.ts';
import { ConsoleConfigReply } from './console-config.ts';
import { scope } from './sign-in.ts';

export const getConsoleConfigRoute = endpoint({
  operationId: 'getConsoleConfig',
  method: 'GET',
  path: '/console/config.json',
  tag: 'Pages',
  summary: 'Where the console signs in, and what it should know before the service says no',
  audience: 'anyone',
  isSameOrigin: true,
  success: { status: 200, body: ConsoleConfigReply },
  errors: ['route_not_found', 'dependency_unavailable'],
  async handle(_input, console: Console) {
    const clientId = clientIdOf(console);
    const { token, currencies, limits } = console;
    const config = { ...(await console.findIssuer()), clientId, scope, token, currencies, limits };
    // Asked for once a tab: kept, it would outlive a change of the settings.
    return new Reply(config, { headers: { 'Cache-Control': 'no-store' } });
  },
});
