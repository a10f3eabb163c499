import * as z from 'zod/mini';

/** What may be said of a state before or after an action: plain facts, never a secret. */
const AuditState = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Who did what to what, and what changed. Source: decisions.md §10, §15. */
export const AuditRecord = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** A user id, `provider`, or the name of a worker. */
  actor: z.string(),
  /** `noun.verb`, e.g. `seller.review`. */
  action: z.string(),
  targetId: z.string(),
  before: z.optional(AuditState),
  after: z.optional(AuditState),
  note: z.optional(z.string()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;
