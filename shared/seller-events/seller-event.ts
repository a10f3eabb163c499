import * as z from 'zod/mini';
import { idOf } from '../ids.ts';
import { dateTime } from '../schemas.ts';

const productIds = { productId: idOf('product') };
const orderIds = { orderId: idOf('order'), ...productIds };
const licenseIds = { licenseId: idOf('license'), ...orderIds };
const releaseFacts = { releaseId: idOf('release'), ...productIds, version: z.string(), channel: z.string(), status: z.string() };
/** `suppressed` events of devices before it were not told. */
const seats = { activationCount: z.int(), activationLimit: z.int(), suppressed: z.optional(z.int()) };
const sale = {
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  kind: z.string(),
  quantity: z.int(),
  discountId: z.optional(idOf('discount')),
  /** Of an addition: the order of the license that it adds to. */
  parentOrderId: z.optional(idOf('order')),
};

/** Why a license's limit or end of updates changed: an addition was paid, refunded, disputed or restored, or the seller changed them. */
export const licenseChangeCauses = [
  'addition_paid',
  'addition_refunded',
  'addition_disputed',
  'addition_restored',
  'seller_changed',
] as const;
export type LicenseChangeCause = (typeof licenseChangeCauses)[number];

/** The data of each event type: ids, statuses, amounts and counts; never the buyer, a device or a key. */
export const sellerEventData = {
  'license.issued': z.object({
    ...licenseIds,
    status: z.string(),
    licenseIssuanceMode: z.string(),
    activationLimit: z.int(),
    /** Of an upgrade: the order and the license in the place of which it was sold. */
    upgradedFrom: z.optional(z.object({ orderId: idOf('order'), licenseId: idOf('license') })),
  }),
  'license.status_changed': z.object({ ...licenseIds, previousStatus: z.string(), status: z.string() }),
  'license.changed': z.object({
    ...licenseIds,
    activationLimit: z.int(),
    updatesUntil: z.optional(dateTime),
    cause: z.enum(licenseChangeCauses),
  }),
  /** `licenseStatus` of an addition: whether what was added can be used now. */
  'order.paid': z.object({ ...orderIds, ...sale, licenseStatus: z.optional(z.string()) }),
  'order.refunded': z.object({ ...orderIds, ...sale, amountRefunded: z.int() }),
  'order.disputed': z.object({ ...orderIds, ...sale }),
  'order.dispute_closed': z.object({ ...orderIds, ...sale, outcome: z.enum(['won', 'lost']) }),
  'activation.created': z.object({ ...licenseIds, activationId: idOf('activation'), ...seats }),
  /** `releasedCount` devices lost their seats; a single one is named. */
  'activation.released': z.object({ ...licenseIds, activationId: z.optional(idOf('activation')), releasedCount: z.int(), ...seats }),
  /** `count` refusals since the last that was told of, with what the latest of them tells. */
  'activation.refused': z.object({ ...licenseIds, code: z.string(), ...seats, count: z.optional(z.int()) }),
  'product.reviewed': z.object({ ...productIds, decision: z.string(), status: z.string(), pendingStatus: z.optional(z.string()) }),
  'product_file.reviewed': z.object({ ...productIds, fileId: idOf('file'), decision: z.string(), status: z.string() }),
  'release.reviewed': z.object(releaseFacts),
  'release.published': z.object(releaseFacts),
  'release.yanked': z.object(releaseFacts),
  test: z.object({ endpointId: idOf('endpoint') }),
} as const;

export type SellerEventType = keyof typeof sellerEventData;
export const sellerEventTypes = Object.keys(sellerEventData).filter((type): type is SellerEventType => type in sellerEventData);

/** An event to be recorded: its type and data. */
export type NewEvent = { [Type in SellerEventType]: { type: Type; data: z.infer<(typeof sellerEventData)[Type]> } }[SellerEventType];

/** Something that happened to what a seller sells, kept for 30 days. */
export const SellerEvent = z.object({
  id: idOf('event'),
  sellerId: idOf('seller'),
  type: z.enum(sellerEventTypes),
  at: dateTime,
  data: z.record(z.string(), z.unknown()),
  /** The one endpoint that it is for; without it, every endpoint that wants its type. */
  endpointId: z.optional(idOf('endpoint')),
});
export type SellerEvent = z.infer<typeof SellerEvent>;

/** How long an event can be sent again. */
const keptDays = 30;
/** When the event is gone, in milliseconds since 1970. */
export const eventKeptUntil = ({ at }: Pick<SellerEvent, 'at'>) => Date.parse(at) + keptDays * 24 * 3600_000;
