import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { settingNames as allSettingNames, type SettingName } from '../../shared/config.ts';
import { answersHead } from '../../shared/http/endpoint.ts';

/** One folder under `functions/`: a Lambda function. */
export interface FunctionDefinition {
  /** The folder's name. */
  name: string;
  entry: string;
  /** The settings it reads, and so the environment it gets. */
  settingNames: readonly SettingName[];
  /** The routes it serves, those of HEAD among them; none for a worker. */
  routes: readonly { method: string; path: string }[];
}

const root = join(import.meta.dirname, '..', '..');
const EnvModule = z.object({ settingNames: z.array(z.enum(allSettingNames)) });
const Route = z.object({
  method: z.string(),
  path: z.string(),
  audience: z.enum(['anyone', 'seller', 'admin']),
  cacheSeconds: z.optional(z.number()),
  success: z.object({ contentType: z.optional(z.string()) }),
});
const RoutesModule = z.object({ routes: z.array(Route) });

/** Every function of the service, found by its folder: `handler.ts`, `env.ts`, and `routes.ts` if it serves HTTP. */
export async function findFunctions(): Promise<FunctionDefinition[]> {
  const folders = readdirSync(join(root, 'functions')).sort();
  return Promise.all(folders.filter((name) => existsSync(fileOf(name, 'handler.ts'))).map(readFunction));
}

async function readFunction(name: string): Promise<FunctionDefinition> {
  const { settingNames } = z.parse(EnvModule, await import(fileOf(name, 'env.ts')));
  const routesFile = fileOf(name, 'routes.ts');
  const { routes } = existsSync(routesFile) ? z.parse(RoutesModule, await import(routesFile)) : { routes: [] };
  const heads = routes.filter(answersHead).map(({ path }) => ({ method: 'HEAD', path }));
  return { name, entry: fileOf(name, 'handler.ts'), settingNames, routes: [...routes, ...heads] };
}

const fileOf = (name: string, file: string) => join(root, 'functions', name, file);
