import { setTimeout as sleep } from 'node:timers/promises';
import { readSecrets } from './aws/secrets.ts';
import { readSettings, type SettingName, type Settings, secretSettings } from './config.ts';
import { createLogger, type Logger } from './logging/logger.ts';

/** The folder of a function's code, where its build puts what the function reads besides; `here` where Lambda names none. */
export const codeFolder = (here: string): string => process.env['LAMBDA_TASK_ROOT'] ?? here;

/** What answers events. `prime` does once, before the first, what the first would else wait for. */
type Handle<Event, Result> = ((event: Event, context: never) => Promise<Result>) & { prime?: () => Promise<unknown> };

/** A handler, and when it has all that it needs. The start of a bundle waits for `ready`, before there is an event. */
export type StartedFunction<Event, Result> = Handle<Event, Result> & {
  /** Rejects with what refuses the secrets; the first event then tries again. */
  ready: Promise<void>;
};

interface Loaded<Event, Result> {
  at: number;
  secrets: string;
  handle: Handle<Event, Result>;
}

/**
 * The handler of a Lambda function: `build` makes it from the settings the function names.
 *
 * Settings are checked when the module loads, so a function that is not well configured
 * does not start. Where secrets live in the secrets store (their setting holds an ARN),
 * reading them begins at once; they are checked before the first event and read again
 * after SECRETS_SECONDS; when one changed, the handler is built anew. If they cannot be read
 * again, the known ones stay in use. Priming gets a second at most, and what fails of it the first event meets again.
 *
 * @throws ConfigError naming the settings at fault.
 */
export function startFunction<const Name extends SettingName, Event, Result>(
  functionName: string,
  names: readonly Name[],
  build: (settings: Pick<Settings, Name>, logger: Logger) => Handle<Event, Result>,
): StartedFunction<Event, Result> {
  const logger = createLogger({ function: functionName });
  const references = names.filter((name) => secretSettings.has(name) && process.env[name]?.startsWith('arn:'));
  if (references.length === 0) {
    const handle = build(readSettings(names), logger);
    return Object.assign(handle, { ready: primed(handle) });
  }
  readSettings(names.filter((name) => !references.includes(name)));
  const secretsLastMs = readSettings(['SECRETS_SECONDS']).SECRETS_SECONDS * 1000;

  const load = async (known?: Loaded<Event, Result>): Promise<Loaded<Event, Result>> => {
    const env = { ...process.env, ...(await readSecrets(references)) };
    const secrets = JSON.stringify(references.map((name) => env[name]));
    return { at: Date.now(), secrets, handle: known?.secrets === secrets ? known.handle : build(readSettings(names, env), logger) };
  };
  const reload = async (known: Loaded<Event, Result>) => {
    try {
      return await load(known);
    } catch (error) {
      // Requests that worked with the known secrets should not fail because the secrets store cannot be reached.
      logger.error('secrets_not_refreshed', { error });
      return { ...known, at: Date.now() };
    }
  };

  let current = load();
  const ready = current.then(({ handle }) => primed(handle));
  // The rejection is for whoever awaits it and for the first event; unhandled, it would end the process.
  ready.catch(() => undefined);
  const handle = async (event: Event, context: never) => {
    const known = await current.catch(() => undefined);
    if (!known) current = load();
    else if (Date.now() - known.at >= secretsLastMs) current = reload(known);
    return (await current).handle(event, context);
  };
  return Object.assign(handle, { ready });
}

/** Lambda aborts a start that takes longer than 10 s. */
const primeMs = 1000;

async function primed({ prime }: Handle<never, unknown>): Promise<void> {
  if (prime) await Promise.race([prime().catch(() => undefined), sleep(primeMs, undefined, { ref: false })]);
}
