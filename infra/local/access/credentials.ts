import { createHmac } from 'node:crypto';
import { account } from '../references.ts';
import type { FunctionPrincipal } from './call.ts';

/** With what one signs. Whoever has them is believed to be the principal. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Only temporary credentials have one, and are worth nothing without it. */
  sessionToken?: string;
}

export interface Identity extends Credentials {
  sessionToken: string;
  principal: FunctionPrincipal;
}

export type Identities = ReturnType<typeof createIdentities>;

/** Who runs this machine, and has all rights that no policy denies. */
export const operatorPrincipal: FunctionPrincipal = { functionName: 'operator', roleArn: `arn:aws:iam::${account}:role/operator` };

/** With what the operator signs, who can read `seed`. */
export const operatorIdentity = (seed: string): Identity => identityOf(seed, operatorPrincipal);

/** Gives each function credentials of its own, the same as long as `seed` is, so that what it signed outlives a restart. */
export function createIdentities(seed: string, principals: readonly FunctionPrincipal[]) {
  const identities = new Map(principals.map((principal) => [principal.functionName, identityOf(seed, principal)]));
  const byKey = new Map([...identities.values()].map((identity) => [identity.accessKeyId, identity]));
  return {
    of(functionName: string): Identity {
      const identity = identities.get(functionName);
      if (!identity) throw new Error(`There is no function ${functionName}.`);
      return identity;
    },
    withKey: (accessKeyId: string): Identity | undefined => byKey.get(accessKeyId),
  };
}

function identityOf(seed: string, principal: FunctionPrincipal): Identity {
  const derive = (what: string) => createHmac('sha512', seed).update(`${what}:${principal.functionName}`).digest();
  return {
    principal,
    // The letters that the key of a temporary credential begins with.
    accessKeyId: `ASIA${derive('id').toString('hex').slice(0, 16).toUpperCase()}`,
    secretAccessKey: derive('secret').toString('base64').slice(0, 40),
    sessionToken: derive('token').toString('base64'),
  };
}
