import { findAudits } from '../audit/audit-repository.ts';
import { decodeCursor, encodeCursor } from '../db/cursor.ts';
import { type Page, type PageRequest, pagesOf } from '../db/sharded-list.ts';
import type { Table } from '../db/table.ts';
import { getLicense, listDevices } from '../licenses/license-repository.ts';
import { findMailsOfOrder } from '../mail/outbox/mail-repository.ts';
import type { Order } from '../orders/order.ts';
import { findOrders } from '../orders/order-repository.ts';
import {
  auditEntries,
  deviceEntries,
  type HistoryEntry,
  HistoryItem,
  mailEntries,
  orderEntries,
  seatsFreedIn,
  upgradeEntries,
} from './history.ts';

/** How many devices are read at once: about as many as fit into one request. */
const devicesAtATime = 4000;

/** What happened to an order and its license, oldest first; `ownerUserId` is its seller's user. See "Reading" in README.md */
export async function listHistory(
  table: Table,
  order: Order,
  ownerUserId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<HistoryItem>> {
  const list = `history-of-${order.id}`;
  const after = cursor === undefined ? '' : decodeCursor(list, cursor);
  const { licenseId, upgrades = [] } = order;
  const [ofOrder, ofLicense, sent, license, upgradedBy] = await Promise.all([
    findAudits(table, order.id),
    licenseId === undefined ? [] : findAudits(table, licenseId),
    findMailsOfOrder(table, order.id),
    licenseId === undefined ? undefined : getLicense(table, licenseId),
    findOrders(
      table,
      upgrades.map(({ orderId }) => orderId),
    ),
  ]);
  const next = createNext(after, limit + 1);
  next.add(orderEntries(order, license));
  next.add(upgradeEntries(upgradedBy));
  next.add(mailEntries(sent));
  next.add(auditEntries([...ofOrder, ...ofLicense], ownerUserId));
  if (license) {
    const releases = seatsFreedIn(ofLicense);
    // All of them, since they are stored in no order that a page could begin at.
    for await (const devices of pagesOf((page) => listDevices(table, license, page), devicesAtATime)) {
      next.add(devices.flatMap((device) => deviceEntries(device, license, releases)));
    }
  }
  const found = next.all();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((item) => HistoryItem.parse(item)),
    nextCursor: found.length > limit && last ? encodeCursor(list, last.place) : undefined,
  };
}

/** Keeps the first `max` entries after a position, however many are added. */
function createNext(after: string, max: number) {
  let first: HistoryEntry[] = [];
  return {
    add(items: readonly HistoryEntry[]): void {
      const later = items.filter(({ place }) => place > after);
      first = [...first, ...later].sort((a, b) => (a.place < b.place ? -1 : 1)).slice(0, max);
    },
    all: () => first,
  };
}
