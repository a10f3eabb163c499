import type { PurchaseCompletionPageResponse } from '../../../../shared/licenses/purchase-page.ts';
import type { Wire } from '../../../../shared/wire.ts';

/** The reply of `POST /v1/purchases/complete` for a token. */
export type Purchase = Wire<PurchaseCompletionPageResponse>;

export type PurchasedFile = Purchase['files'][number];
