import * as z from 'zod/mini';
import { type Endpoint, endpoint } from '../../../shared/http/endpoint.ts';

/** An endpoint for sellers or for admins that answers who its caller is taken for. */
export const whoAmI = (audience: 'seller' | 'admin'): Endpoint<unknown> =>
  endpoint({
    operationId: `whoAmI_${audience}`,
    method: 'GET',
    path: `/v1/${audience}`,
    tag: 'Test',
    summary: 'Who calls',
    audience,
    success: { status: 200, body: z.object({ userId: z.string(), email: z.optional(z.string()) }) },
    errors: [],
    handle: ({ identity }) => identity,
  });
