import { readSettings, type SettingName, type Settings, secretSettings } from './config.ts';
import { createLogger, type Logger } from './logger.ts';
import { readSecrets } from './secrets.ts';

const secretsLastMs = 5 * 60_000;

type Handle<Event, Result> = (event: Event, context: never) => Promise<Result>;

/**
 * The handler of a Lambda function: `build` makes it from the settings the function names.
 *
 * Settings are checked when the module loads, so a function that is not configured
 * as decisions.md §2 and §13 demand does not start. Where secrets live in the cloud's
 * secrets store (their setting holds an ARN), they are read before the first event
 * and again after five minutes; when one changed, the handler is built anew.
 *
 * @throws ConfigError naming the settings at fault.
 */
export function startFunction<const Name extends SettingName, Event, Result>(
  functionName: string,
  names: readonly Name[],
  build: (settings: Pick<Settings, Name>, logger: Logger) => Handle<Event, Result>,
): Handle<Event, Result> {
  const logger = createLogger({ function: functionName });
  const references = names.filter((name) => secretSettings.has(name) && process.env[name]?.startsWith('arn:'));
  if (references.length === 0) {
    return build(readSettings(names), logger);
  }

  let loaded: { at: number; secrets: string; handle: Handle<Event, Result> } | undefined;
  const load = async () => {
    const env = { ...process.env, ...(await readSecrets(references)) };
    const secrets = JSON.stringify(references.map((name) => env[name]));
    const handle = loaded?.secrets === secrets ? loaded.handle : build(readSettings(names, env), logger);
    loaded = { at: Date.now(), secrets, handle };
    return handle;
  };
  return async (event, context) => {
    const fresh = loaded && Date.now() - loaded.at < secretsLastMs ? loaded.handle : await load();
    return fresh(event, context);
  };
}
