import * as z from 'zod/mini';

export const Made = z.object({ id: z.string() });
export const listOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item) });
export const SellerReply = z.object({
  id: z.string(),
  internal_review_status: z.string(),
  payment_payouts_enabled: z.optional(z.boolean()),
  payment_connected_account_id: z.optional(z.string()),
});
export const ProductReply = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: z.string(),
  pending: z.optional(z.object({ status: z.string() })),
});
export type ProductReply = z.infer<typeof ProductReply>;
export const SellerFile = z.object({ id: z.string(), file_name: z.string(), uploaded_at: z.optional(z.string()) });
export const ReviewedFile = z.object({
  file_id: z.string(),
  status: z.string(),
  hash_status: z.string(),
  scan_status: z.string(),
  scan_trusted_clean: z.optional(z.boolean()),
});
export const Intent = z.object({ product_file_id: z.string(), upload_url: z.string(), required_headers: z.record(z.string(), z.string()) });
export const ReleaseReply = z.object({ id: z.string(), version: z.string(), status: z.string() });
export const OrderReply = z.object({ id: z.string(), status: z.string(), product_id: z.string(), license_id: z.optional(z.string()) });
export const PaidOrder = z.object({ checkout_session_id: z.string() });
export const Outbox = listOf(z.object({ to: z.string(), text: z.string() }));
export const Purchase = z.object({ order: z.object({ id: z.string() }), license: z.object({ license_key: z.string() }) });
