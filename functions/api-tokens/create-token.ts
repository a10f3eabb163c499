import { NewApiToken } from '../../shared/api-tokens/api-token.ts';
import { CreateApiTokenRequest, createToken } from '../../shared/api-tokens/api-token-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createTokenRoute = endpoint({
  operationId: 'createApiToken',
  method: 'POST',
  path: '/v1/api-tokens',
  tag: 'API tokens',
  summary: 'Makes a token with which a program calls',
  description:
    'It opens what its scopes say, of the products named or of all, until it expires or is revoked. The token shows this once, and its seller is mailed that it was made. A seller has at most 20 that live. One for some products names one of them where it lists orders, lists and finds theirs alone, makes no product, and cannot have `endpoints:write`. No token makes another.',
  audience: 'seller',
  body: CreateApiTokenRequest,
  sensitive: true,
  success: { status: 201, body: NewApiToken },
  errors: ['seller_required', 'too_many_tokens', 'seller_not_eligible'],
  handle: ({ body, identity }, c: Needs<'table' | 'now' | 'sendJob'>) => createToken(c, identity.userId, body),
});
