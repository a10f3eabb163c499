import { readFileSync } from 'node:fs';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { httpFunctions } from '../../support/http/service.ts';
import type { Marketplace, Shop } from '../../support/scenes/marketplace.ts';
import { accessTo } from './access.ts';
import { idsOf, requests } from './requests.ts';

export interface Found {
  /** Method and path. */
  name: string;
  functionName: string;
  endpoint: Endpoint<any>;
  access: ReturnType<typeof accessTo>;
}

/** Every endpoint of every function, and who may call it. */
export const endpoints: readonly Found[] = httpFunctions.flatMap(({ name: functionName, routes }) =>
  routes.map((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    return { name, functionName, endpoint, access: accessTo(name) };
  }),
);

export type Headers = Record<string, string>;
export const headersOf = (userId: string): Headers => ({ 'X-User-ID': userId, 'X-User-Email': `${userId}@example.com` });

const document = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));

function exampleOf({ method, path }: Endpoint<any>): { body?: unknown } {
  const json = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
  return json ? { body: json.example ?? Object.values<any>(json.examples)[0].value } : {};
}

/** Asks for things of `shop`, with other ids in the place of some of its own. */
export async function prepare({ endpoint }: Found, shop: Shop, scene: Marketplace) {
  const { ids: others, query = '', status, ...options } = (await requests[endpoint.operationId]?.(shop, scene)) ?? {};
  const ids: Record<string, string> = { ...idsOf(shop), ...others };
  const sent = { ...exampleOf(endpoint), ...options };
  return {
    ids,
    status: status ?? endpoint.success.status,
    send(headers: Headers, changes: Record<string, string> = {}): Promise<TestReply> {
      const path = endpoint.path.replaceAll(/\{(\w+)\+?\}/g, (_, id: string) => encodeURIComponent({ ...ids, ...changes }[id] ?? ''));
      return scene.call(endpoint.method, path + query, { ...sent, headers: { ...sent.headers, ...headers } });
    },
  };
}
