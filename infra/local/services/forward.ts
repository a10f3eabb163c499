import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Credentials } from '../access/credentials.ts';
import { StartError } from '../engines/engine.ts';
import { sendError } from './json-service.ts';

/** What the engines know everyone by, who do not look at signatures. */
export const engineCredentials: Credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export type Forward = ReturnType<typeof createForward>;

/** Passes requests on to an engine as they are, and its replies back. Engines that keep data apart by access key see one key alone. */
export function createForward(endpoint: string) {
  const { hostname, port, protocol } = new URL(endpoint);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const hasBody = (method: string | undefined) => method !== 'GET' && method !== 'HEAD';
  if (protocol !== 'http:') throw new StartError(`${endpoint} cannot be used: engines are reached by plain http alone.`);

  return {
    pass(message: IncomingMessage, body: Buffer, response: ServerResponse): void {
      const { method, url, headers } = message;
      const { host: _, 'x-amz-security-token': __, connection: ___, 'transfer-encoding': ____, ...others } = headers;
      const authorization = headers.authorization?.replace(/Credential=[^/]+/, `Credential=${engineCredentials.accessKeyId}`);
      const passed = request(
        { hostname, port, agent, method, path: url, headers: { ...others, authorization, 'content-length': body.length } },
        (reply) => {
          response.writeHead(reply.statusCode ?? 500, reply.headers);
          reply.pipe(response);
        },
      );
      passed.once('error', () => {
        if (response.headersSent) response.destroy();
        else sendError(response, 'InternalServerError', 'The engine cannot be reached.', 500);
      });
      response.once('close', () => response.writableFinished || passed.destroy());
      passed.end(hasBody(method) ? body : undefined);
    },
    stop: () => agent.destroy(),
  };
}
