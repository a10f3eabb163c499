import { createAuditRepository } from '../../audit/audit-repository.ts';
import { decodeCursor, encodeCursor } from '../../db/cursor.ts';
import type { Page, PageRequest } from '../../db/sharded-list.ts';
import type { Table } from '../../db/table.ts';
import { createMailRepository } from '../../mail/mail-repository.ts';
import type { Order } from '../../orders/order.ts';
import { createOrderRepository } from '../../orders/order-repository.ts';
import type { License } from '../license.ts';
import { createLicenseRepository } from '../license-repository.ts';
import {
  type Happened,
  HistoryItem,
  historyOfAudits,
  historyOfDevice,
  historyOfMails,
  historyOfOrder,
  historyOfUpgrades,
  releasesIn,
} from './history.ts';

/** So many devices are read at once: about as many as one request brings. */
const devicesAtATime = 4000;

/** What happened to an order and its license, oldest first; `ownerUserId` is its seller's user. See "Reading" in README.md */
export type ListHistory = (order: Order, ownerUserId: string, request: PageRequest) => Promise<Page<HistoryItem>>;

export function createListHistory({ table }: { table: Table }): ListHistory {
  const licenses = createLicenseRepository({ table });
  const orders = createOrderRepository({ table });
  const mails = createMailRepository({ table });
  const audit = createAuditRepository({ table });

  return async (order, ownerUserId, { limit, cursor }) => {
    const list = `history-of-${order.id}`;
    const after = cursor === undefined ? '' : decodeCursor(list, cursor);
    const { licenseId, upgrades = [] } = order;
    const [ofOrder, ofLicense, sent, license, upgradedBy] = await Promise.all([
      audit.findAudits(order.id),
      licenseId === undefined ? [] : audit.findAudits(licenseId),
      mails.findMailsOfOrder(order.id),
      licenseId === undefined ? undefined : licenses.getLicense(licenseId),
      orders.findOrders(upgrades.map(({ orderId }) => orderId)),
    ]);
    const next = createNext(after, limit + 1);
    next.add(historyOfOrder(order, license));
    next.add(historyOfUpgrades(upgradedBy));
    next.add(historyOfMails(sent));
    next.add(historyOfAudits([...ofOrder, ...ofLicense], ownerUserId));
    if (license) {
      const releases = releasesIn(ofLicense);
      for await (const devices of devicesOf(license)) next.add(devices.flatMap((device) => historyOfDevice(device, license, releases)));
    }
    const found = next.all();
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map((item) => HistoryItem.parse(item)),
      nextCursor: found.length > limit && last ? encodeCursor(list, last.place) : undefined,
    };
  };

  /** All of them, since they are stored in no order that a page could begin at. */
  async function* devicesOf(license: License) {
    let cursor: string | undefined;
    do {
      const page = await licenses.listDevices(license, { limit: devicesAtATime, cursor });
      yield page.items;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
}

/** Of what is added, the first `most` after a place, however much there is. */
function createNext(after: string, most: number) {
  let first: Happened[] = [];
  return {
    add(items: readonly Happened[]): void {
      const later = items.filter(({ place }) => place > after);
      first = [...first, ...later].sort((a, b) => (a.place < b.place ? -1 : 1)).slice(0, most);
    },
    all: () => first,
  };
}
