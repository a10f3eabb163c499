import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SettingName } from '../../../shared/config.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { PartName } from '../../../shared/start.ts';
import { createCaller } from './http-event.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Every function, with what it declares; workers have no routes. */
export const allFunctions = await Promise.all(
  globSync('functions/*/declaration.ts', { cwd: root })
    .sort()
    .map(async (file) => {
      const folder = join(root, dirname(file));
      const { settingNames, parts = [] } = (await import(join(root, file))) as {
        settingNames: readonly SettingName[];
        parts?: readonly PartName[];
      };
      const { routes } = existsSync(join(folder, 'routes.ts')) ? await import(join(folder, 'routes.ts')) : { routes: [] };
      const { compose } = await import(join(folder, 'compose.ts'));
      return {
        name: basename(folder),
        settingNames,
        parts,
        routes: routes as readonly Endpoint<any>[],
        compose: compose as (start: any) => any,
      };
    }),
);
export type ServiceFunction = (typeof allFunctions)[number];
export const httpFunctions = allFunctions.filter(({ routes }) => routes.length > 0);
const allRoutes = httpFunctions.flatMap(({ routes }) => routes);

/** The function that the gateway calls for a route; for a path that no route takes, any of them. */
function functionOf(routeKey: string) {
  const found = httpFunctions.find(({ routes }) => routes.some(({ path }) => routeKey === `ANY ${path}`));
  const [first] = httpFunctions;
  if (!found && !first) throw new Error('There are no functions.');
  return found ?? first!;
}

/** Calls every HTTP function as the gateway does; one that is called is started once. */
export function callService(start: (called: ServiceFunction) => any) {
  const started = new Map<string, any>();
  return createCaller((event, context) => {
    const called = functionOf(event.routeKey);
    const handler = started.get(called.name) ?? start(called);
    started.set(called.name, handler);
    return handler(event, context);
  }, allRoutes);
}
export type Call = ReturnType<typeof callService>;

/** The same, each function composed of these clients. */
export const createService = (clients: object): Call => callService(({ compose }) => compose(clients));
