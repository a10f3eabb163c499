import type { Settings } from '../config.ts';
import type { Logger } from '../logging/logger.ts';
import { callerOptions, type callerSettings } from './callers/caller-address.ts';
import { createHandler, type HandlerOptions, type HttpHandler } from './create-handler.ts';
import type { Endpoint } from './endpoint.ts';
import type { CheckRateLimit } from './rate-limit.ts';

/** What each handler is made of, besides what its endpoints need: `limitRate` where one of them names a limit. */
export interface Served<Name extends keyof Settings = (typeof callerSettings)[number]> {
  settings: Pick<Settings, Name>;
  logger: Logger;
  limitRate?: CheckRateLimit;
}

/** The handler of a function that anyone may call. */
export function serve<Context extends Served>(
  routes: readonly Endpoint<Context>[],
  c: Context,
  options: Pick<HandlerOptions<Context>, 'transformReply'> = {},
): HttpHandler {
  return createHandler({ routes, services: c, logger: c.logger, ...limitsBy(c), ...callerOptions(c.settings), ...options });
}

export const limitsBy = ({ limitRate }: Pick<Served, 'limitRate'>) => (limitRate ? { limitRate } : {});
