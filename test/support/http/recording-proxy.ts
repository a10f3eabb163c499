import { createServer, request as send } from 'node:http';
import { serve } from '../../../infra/local/engines/engine.ts';

/** A request and its answer, as they went over the wire. */
export interface RecordedExchange {
  method: string;
  path: string;
  query: string;
  requestHeaders: Record<string, string | undefined>;
  requestBody: string;
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/** Stands before the server at `target`, and remembers what goes through. */
export async function startRecordingProxy(target: string) {
  const exchanges: RecordedExchange[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const requestBody = await textOf(incoming);
    const [path = '', query = ''] = (incoming.url ?? '').split(/\?(.*)/s);
    const { method = 'GET', headers: requestHeaders } = incoming;
    const forwarded = send(new URL(incoming.url ?? '', target), { method, headers: requestHeaders }, async (answer) => {
      const body = await textOf(answer);
      const { statusCode: status = 0, headers } = answer;
      exchanges.push({ method, path, query, requestHeaders: flat(requestHeaders), requestBody, status, headers: flat(headers), body });
      outgoing.writeHead(status, headers).end(body);
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(requestBody);
  });
  const { endpoint, stop } = await serve(server);
  return { endpoint, exchanges, stop };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const flat = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
