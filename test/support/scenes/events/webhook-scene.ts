import { listAudit } from '../../../../shared/audit/audit-repository.ts';
import { type SettingName, settingNames } from '../../../../shared/config.ts';
import { createSdkDynamo } from '../../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable } from '../../../../shared/db/table.ts';
import type { EndpointId, SellerId } from '../../../../shared/ids.ts';
import { createLogger } from '../../../../shared/logging/logger.ts';
import { recordEvent } from '../../../../shared/seller-events/event-record-repository.ts';
import type { NewEvent } from '../../../../shared/seller-events/seller-event.ts';
import { listEventsAfter } from '../../../../shared/seller-events/seller-event-repository.ts';
import type { SellerRecord } from '../../../../shared/sellers/seller.ts';
import { addSeller, getSeller, recordReview } from '../../../../shared/sellers/seller-repository.ts';
import { findEndpoint } from '../../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import type { Faults } from '../../engines/faults.ts';
import { createTestTable } from '../../engines/test-table.ts';
import type { RequestOptions } from '../../http/http-event.ts';
import { createService } from '../../http/service.ts';
import { encryptionKeys, keyringText } from '../../samples/licenses.ts';
import { sampleSeller } from '../../samples/sample-seller.ts';
import { sampleSettings } from '../../samples/sample-settings.ts';
import { createTestQueue } from '../projection-harness.ts';
import { createEventLog } from './event-log.ts';

export type WebhookScene = Awaited<ReturnType<typeof openWebhookScene>>;
const unlimited = { RATE_LIMIT_ENDPOINT_CALLS: '0', RATE_LIMIT_ROTATIONS: '0' };
export const receiver = 'https://hooks.example.com/events?token=of-the-receiver';

/** Sellers with their webhook endpoints, over a real table, and the worker that publishes their events; the clock stands still. */
export async function openWebhookScene({
  faults,
  environment = {},
}: {
  faults?: Faults;
  environment?: Partial<Record<SettingName, string>>;
} = {}) {
  const place = await createTestTable({ ...(faults && { faults }) });
  const { table } = place;
  const plain = createTable({ tableName: place.tableName, dynamo: createSdkDynamo() });
  let clock = Date.parse('2026-02-01T00:00:00.000Z');
  const now = () => new Date(clock);
  const logged: string[] = [];
  const logger = createLogger({}, (line) => logged.push(line));
  const queue = createTestQueue();
  const settings = sampleSettings(settingNames, { ...unlimited, ENCRYPTION_KEYS: keyringText('e1'), ...environment });
  const call = createService({ settings, logger, table, sender: queue, now });

  const as =
    (userId: string) =>
    (method: string, target = '', options: RequestOptions = {}) =>
      call(method, `/v1/webhook-endpoints${target}`, { ...options, headers: { 'X-User-ID': userId, ...options.headers } });

  return {
    ...place,
    encryptionKeys,
    queue,
    logged,
    now,
    as,
    /** The same table, without faults. */
    plain,
    log: createEventLog({ table, stream: plain, sender: queue, logger, now }),
    pass(seconds: number) {
      clock += seconds * 1000;
    },

    /** A seller on the table, and calls in the name of its owner. */
    async newSeller(fields: Partial<SellerRecord> = {}) {
      const seller = sampleSeller({ internalReviewStatus: 'approved', ...fields });
      await plain.transact(addSeller(seller));
      const ask = as(seller.ownerUserId);
      return {
        seller,
        ask,
        /** A new endpoint; the whole reply's body. */
        async add(fields: Record<string, unknown> = {}) {
          const reply = await ask('POST', '', { body: { url: receiver, ...fields } });
          if (reply.status !== 201) throw new Error(reply.text);
          return reply.json;
        },
        stored: (endpointId: EndpointId) => findEndpoint(plain, seller.id, endpointId),
        async setStatus(status: SellerRecord['internalReviewStatus']) {
          await plain.write(recordReview({ now }, await getSeller(plain, seller.id), { status }));
        },
        /** As one of the causes does it. */
        happen: (happening: NewEvent, endpointId?: EndpointId) => plain.write(recordEvent({ now }, seller.id, happening, endpointId)),
      };
    },

    keptOf: (sellerId: SellerId) => listEventsAfter(plain, sellerId, undefined, 1000),

    async audited(targetId: string) {
      const { items } = await listAudit(plain, { targetId, limit: 100 });
      return items.map(({ actor, action, before, after }) => ({ actor, action, before, after })).reverse();
    },

    async job(id: string) {
      return (await place.readAll())[`JOB#${id} JOB`];
    },
  };
}
