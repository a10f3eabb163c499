import { readSettings, type SettingName, type Settings, secretSettings } from './config.ts';
import { createLogger, type Logger } from './logger.ts';
import { readSecrets } from './secrets.ts';

const secretsLastMs = 5 * 60_000;

type Handle<Event, Result> = (event: Event, context: never) => Promise<Result>;

/**
 * The handler of a Lambda function: `build` makes it from the settings the function names.
 *
 * Settings are checked when the module loads, so a function that is not well configured
 * does not start. Where secrets live in the cloud's secrets store (their setting holds an
 * ARN), they are read, and checked, before the first event and again after five minutes;
 * when one changed, the handler is built anew. If they cannot be read again, the known
 * ones stay in use.
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
  readSettings(names.filter((name) => !references.includes(name)));

  let loaded: { at: number; secrets: string; handle: Handle<Event, Result> } | undefined;
  const load = async () => {
    const env = { ...process.env, ...(await readSecrets(references)) };
    const secrets = JSON.stringify(references.map((name) => env[name]));
    return { at: Date.now(), secrets, handle: loaded?.secrets === secrets ? loaded.handle : build(readSettings(names, env), logger) };
  };
  const reload = async (known: typeof loaded) => {
    try {
      return await load();
    } catch (error) {
      if (!known) throw error;
      // Requests that worked with the known secrets should not fail because the secrets store cannot be reached.
      logger.error('secrets_not_refreshed', { error });
      return { ...known, at: Date.now() };
    }
  };
  return async (event, context) => {
    const isFresh = loaded !== undefined && Date.now() - loaded.at < secretsLastMs;
    const { handle } = loaded && isFresh ? loaded : await reload(loaded).then((fresh) => (loaded = fresh));
    return handle(event, context);
  };
}
