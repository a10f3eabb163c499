import * as z from 'zod/mini';
import { ApiToken } from '../../shared/api-tokens/api-token.ts';
import { listOwnTokens } from '../../shared/api-tokens/api-token-service.ts';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageOf, pageQuery } from '../../shared/lists.ts';

export const listTokensRoute = endpoint({
  operationId: 'listApiTokens',
  method: 'GET',
  path: '/v1/api-tokens',
  tag: 'API tokens',
  summary: "Lists the caller's own API tokens, newest first",
  description: 'Those that were revoked or expired are shown for 90 days more. The tokens themselves do not show again.',
  audience: 'seller',
  query: z.object(pageQuery),
  success: { status: 200, body: pageOf(ApiToken) },
  errors: [],
  handle: ({ query, identity }, c: Needs<'table' | 'now'>) => listOwnTokens(c, identity.userId, query),
});
