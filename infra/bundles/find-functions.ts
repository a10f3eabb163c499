import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { settingNames as allSettingNames, type SettingName, secretSettings } from '../../shared/config.ts';
import { Permissions } from '../../shared/permissions.ts';
import { writeStart } from './write-start.ts';

/** One folder under `functions/`: a Lambda function. */
export interface FunctionDefinition {
  /** The folder's name. */
  name: string;
  folder: string;
  /** The module that starts it and exports its `handler`. */
  entry: string;
  /** The settings that its `declaration.ts` names, and what its start reads of itself; so the environment it gets. */
  settingNames: readonly SettingName[];
  /** What its role may do with them; undefined where it does not say. */
  permissions: Permissions | undefined;
  /** What it serves; nothing for a worker. */
  routes: readonly { method: string; path: string }[];
  /** The paths on which it answers OPTIONS. */
  preflights: readonly string[];
}

const root = join(import.meta.dirname, '..', '..');
/** Read by `shared/start-function.ts` for every function with secrets. */
const secretsSetting: SettingName = 'SECRETS_SECONDS';
const DeclarationModule = z.object({
  settingNames: z.array(z.enum(allSettingNames)),
  parts: z._default(z.array(z.string()), []),
  permissions: z.optional(Permissions),
});
const Route = z.object({ method: z.string(), path: z.string(), isSameOrigin: z.optional(z.literal(true)) });
const RoutesModule = z.object({ routes: z.array(Route) });

/** Every function of the service, found by its folder: `declaration.ts`, `compose.ts`, and `routes.ts` if it serves HTTP. */
export async function findFunctions(): Promise<FunctionDefinition[]> {
  const folders = readdirSync(join(root, 'functions')).sort();
  return Promise.all(folders.filter((name) => existsSync(fileOf(name, 'declaration.ts'))).map(readFunction));
}

async function readFunction(name: string): Promise<FunctionDefinition> {
  const { settingNames: named, parts, permissions } = z.parse(DeclarationModule, await import(fileOf(name, 'declaration.ts')));
  const settingNames = named.some((setting) => secretSettings.has(setting)) ? [...named, secretsSetting] : named;
  const routesFile = fileOf(name, 'routes.ts');
  const { routes } = existsSync(routesFile) ? z.parse(RoutesModule, await import(routesFile)) : { routes: [] };
  const preflights = [...new Set(routes.filter(({ isSameOrigin }) => !isSameOrigin).map(({ path }) => path))];
  return { name, folder: fileOf(name, '.'), entry: writeStart(name, parts), settingNames, permissions, routes, preflights };
}

const fileOf = (name: string, file: string) => join(root, 'functions', name, file);
