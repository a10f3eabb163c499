import { ApiToken } from '../../shared/api-tokens/api-token.ts';
import { revokeToken } from '../../shared/api-tokens/api-token-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const revokeTokenRoute = endpoint({
  operationId: 'revokeApiToken',
  method: 'POST',
  path: '/v1/api-tokens/{token_id}/revoke',
  tag: 'API tokens',
  summary: 'Ends an API token for good',
  description: 'It opens nothing from the next call on. That works in every state of the seller; again it changes nothing.',
  audience: 'seller',
  success: { status: 200, body: ApiToken },
  errors: ['token_not_found'],
  handle: ({ params, identity }, c: Needs<'table' | 'now'>) => revokeToken(c, identity.userId, params.tokenId),
});
