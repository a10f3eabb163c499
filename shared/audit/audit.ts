import * as z from 'zod/mini';

/** Facts about the state before or after an action; never a secret. */
const AuditState = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Everything that is audited, as `noun.verb`; where an admin decides, the verb is the decision. See "What is recorded" in README.md */
export const auditActions = [
  'seller.apply',
  'seller.approve',
  'seller.approve_limited',
  'seller.needs_more_info',
  'seller.reject',
  'seller.suspend',
  'seller.update',
  'seller.update_payment',
  'product.update',
  'product.submit',
  'product.withdraw',
  'product.approve',
  'product.reject',
  'product.suspend',
  'product_file.finalize',
  'product_file.withdraw',
  'product_file.hash',
  'product_file.scan',
  'product_file.rescan',
  'product_file.discard',
  'product_file.delete_bytes',
  'product_file.download',
  'product_file.approve',
  'product_file.manual_clean',
  'product_file.mark_manual_clean',
  'product_file.reject',
  'product_file.disable',
  'release.create',
  'release.update',
  'release.delete',
  'release.submit',
  'release.withdraw',
  'release.approve',
  'release.reject',
  'release.publish',
  'release.yank',
  'order.update_status',
  'order.create_completion_token',
  'order.correct_buyer_email',
  'order.request_email_correction',
  'order.approve_email_request',
  'order.reject_email_request',
  'order.resend_link',
  'order.record_mail_report',
  'order.search',
  'code_batch.set_aside_code',
  'license.issue',
  'license.issue_test_key',
  'license.hold',
  'license.lift_hold',
  'license.revoke',
  'license.suspend',
  'license.reinstate',
  'license.change_limit',
  'license.extend_updates',
  'license.count_addition',
  'license.uncount_addition',
  'license.release_activation',
  'license.replace_key',
  'webhook_endpoint.create',
  'webhook_endpoint.update',
  'webhook_endpoint.rotate_secret',
  'webhook_endpoint.delete',
  'webhook_endpoint.replay',
  'api_token.create',
  'api_token.revoke',
  'discount.create',
  'discount.end',
  'job.redrive',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The workers that act by themselves, as audit records name them. */
export const workerActors = ['event-projector', 'file-hasher', 'file-scanner', 'mail-sender'] as const;

/** Who did what, to which target, and what changed. */
export const AuditRecord = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** A user id, `token:<id>`, `provider`, `buyer`, `operator`, or the name of a worker. */
  actor: z.string(),
  /** One of `auditActions`; a record keeps the name it was written with. */
  action: z.string(),
  targetId: z.string(),
  before: z.optional(AuditState),
  after: z.optional(AuditState),
  note: z.optional(z.string()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;
