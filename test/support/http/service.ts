import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { createCaller } from './http-event.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Every function that serves HTTP, with its routes. */
export const httpFunctions = await Promise.all(
  globSync('functions/*/routes.ts', { cwd: root })
    .sort()
    .map(async (file) => {
      const { routes } = (await import(join(root, file))) as { routes: readonly Endpoint<any>[] };
      const { compose } = await import(join(root, dirname(file), 'compose.ts'));
      return { name: basename(dirname(file)), routes, compose: compose as (clients: any) => any };
    }),
);
const allRoutes = httpFunctions.flatMap(({ routes }) => routes);

/** The function that the gateway calls for a route; for a path that no route takes, any of them. */
function functionOf(routeKey: string) {
  const found = httpFunctions.find(({ routes }) => routes.some(({ path }) => routeKey === `ANY ${path}`));
  const [first] = httpFunctions;
  if (!found && !first) throw new Error('There are no functions.');
  return found ?? first!;
}

/** Calls every HTTP function as the gateway does; one that is called is composed of these clients. */
export function createService(clients: object) {
  const composed = new Map<string, any>();
  return createCaller((event, context) => {
    const { name, compose } = functionOf(event.routeKey);
    const handler = composed.get(name) ?? compose(clients);
    composed.set(name, handler);
    return handler(event, context);
  }, allRoutes);
}
export type Call = ReturnType<typeof createService>;
