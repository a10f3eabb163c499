import { AppError } from '../../shared/errors.ts';
import type { ConsoleAssets } from './assets.ts';
import type { FindIssuerAddresses } from './sign-in.ts';

/** What the console's endpoints need. */
export interface Console {
  /** As what it signs in; undefined where there is no console. */
  clientId: string | undefined;
  /** Which token it sends. */
  token: 'access' | 'id';
  /** Where the service is, and so the console. */
  origin: string;
  /** Where the bucket's URLs lead. */
  storeOrigin: string | undefined;
  currencies: readonly string[];
  /** The limits that forms and uploads check in advance, in bytes. */
  limits: { maxFileBytes: number; sellerStorageBytes: number };
  assets: ConsoleAssets;
  findIssuer: FindIssuerAddresses;
}

/** As what the console signs in. @throws AppError route_not_found where there is no console */
export function clientIdOf({ clientId }: Pick<Console, 'clientId'>): string {
  if (clientId === undefined) throw new AppError('route_not_found');
  return clientId;
}
