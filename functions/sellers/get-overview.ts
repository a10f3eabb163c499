import * as z from 'zod/mini';
import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idOf } from '../../shared/ids.ts';
import { attentionKinds } from '../../shared/overview/attention.ts';
import { getOverview } from '../../shared/overview/overview.ts';
import { taskStates } from '../../shared/overview/tasks.ts';
import { dateTime } from '../../shared/schemas.ts';
import { Seller, taskIds } from '../../shared/sellers/seller.ts';

/** What a user sees first: how far they have come with selling, and what needs them. */
export const Overview = z.object({
  seller: z.optional(Seller),
  tasks: z.array(z.object({ id: z.enum(taskIds), state: z.enum(taskStates), targetId: z.optional(idOf('product')) })),
  attention: z.array(z.object({ kind: z.enum(attentionKinds), targetId: z.string(), since: dateTime })),
});

export const getOverviewRoute = endpoint({
  operationId: 'getOverview',
  method: 'GET',
  path: '/v1/overview',
  tag: 'Sellers',
  summary: 'Shows how far the caller has come with selling, and what needs them',
  description:
    'Always all six tasks, in their order, also of a user who never applied. Below `attention` stands what waits for the seller, newest first, at most 50, each for as long as it is so.',
  audience: 'seller',
  success: { status: 200, body: Overview },
  errors: [],
  handle: ({ identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) => getOverview(c, identity.userId),
});
