import { createTokenRoute } from './create-token.ts';
import { listTokensRoute } from './list-tokens.ts';
import { revokeTokenRoute } from './revoke-token.ts';

export const routes = [createTokenRoute, listTokensRoute, revokeTokenRoute];
