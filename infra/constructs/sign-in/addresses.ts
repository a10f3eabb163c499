import { callbackPaths } from '../../../functions/console/screens.ts';
import { scope } from '../../../functions/console/sign-in.ts';

/** What is to be entered at the identity provider for the console of this deployment. */
export function signInAddresses(publicBaseUrl: string) {
  const base = publicBaseUrl.replace(/\/+$/, '');
  return {
    /** Where it leads back to with a code. */
    callbacks: Object.values(callbackPaths).map((path) => base + path),
    /** Where it leads back to after signing out. */
    logouts: [`${base}/console`, `${base}/console/admin`],
    scopes: scope.split(' '),
  };
}
