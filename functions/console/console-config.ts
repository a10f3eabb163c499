import * as z from 'zod/mini';
import type { Wire } from '../../shared/wire.ts';

/** What the console is told before anybody signs in. */
export const ConsoleConfigReply = z.object({
  issuer: z.string(),
  authorizationEndpoint: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.optional(z.string()),
  endSessionEndpoint: z.optional(z.string()),
  clientId: z.string(),
  scope: z.string(),
  token: z.enum(['access', 'id']),
  currencies: z.array(z.string()),
  limits: z.object({ maxFileBytes: z.number(), sellerStorageBytes: z.number() }),
});

/** The same as a browser gets it. */
export type ConsoleConfig = Omit<Wire<z.infer<typeof ConsoleConfigReply>>, 'token'> & { token: 'access' | 'id' };
