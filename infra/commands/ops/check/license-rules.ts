import * as z from 'zod/mini';
import {
  aliveTestKeysKey,
  buyerMovesKey,
  deviceKey,
  devicesOfLicense,
  licenseFactsKey,
  licenseKey,
  licensePointerKey,
  orderKey,
  seatKey,
  testKeyKey,
} from '../../../../shared/db/keys.ts';
import { ownHold } from '../../../../shared/entitlements/holds.ts';
import { LicenseFacts } from '../../../../shared/entitlements/license-facts.ts';
import { idOf } from '../../../../shared/ids.ts';
import { BuyerMoves } from '../../../../shared/licenses/buyers/buyer-moves.ts';
import { entitlementsOf } from '../../../../shared/licenses/entitled-license.ts';
import { Device, isActive, License, LicensePointer, ReplacedKey } from '../../../../shared/licenses/license.ts';
import { pepperVersionOf } from '../../../../shared/licenses/license-lookup.ts';
import { AliveTestKeys } from '../../../../shared/licenses/test-keys/test-key-repository.ts';
import { Order } from '../../../../shared/orders/order.ts';
import { createRule, idFromKey, type ListPlace, pathsOf } from './rule.ts';
import type { Read } from './table-reader.ts';

/** What stands under a lookup: a license, its old copy while it moves, or that its key was replaced. */
const KeyItem = z.union([License, ReplacedKey]);
type KeyItem = z.infer<typeof KeyItem>;
const isReplaced = (item: KeyItem): item is ReplacedKey => 'replacedAt' in item;

export const licenseRules = {
  licenseKey: createRule({
    schema: z.looseObject({}),
    id: (item) => String(item['id'] ?? 'one without id'),
    list: async (item) => listOfReplaced(item),
    async *faults(item, read, { owner }) {
      const parsed = KeyItem.safeParse(item);
      if (!parsed.success) return yield `cannot be read: ${pathsOf(parsed.error)}`;
      if (parsed.data.lookup !== owner) yield 'is under a key that is not its own';
      if (isReplaced(parsed.data)) yield* faultsOfReplaced(parsed.data, read);
      else if (parsed.data.movedTo !== undefined) yield* faultsOfCopy(parsed.data, read);
      else yield* faultsOfLicense(parsed.data, read);
    },
  }),
  licensePointerKey: createRule({
    schema: LicensePointer,
    key: ({ licenseId }) => licensePointerKey(licenseId),
    async list({ licenseId, lookup, movingFrom }, read) {
      const issuedAt = (await read.get(licenseKey(lookup)))?.['issuedAt'];
      const name = movingFrom === undefined ? (`licenses#${pepperVersionOf(lookup)}` as const) : 'moving-licenses';
      return { name, id: licenseId, ...(typeof issuedAt === 'string' && { at: issuedAt }) };
    },
    async *faults({ licenseId, lookup }, read) {
      const license = await read.get(licenseKey(lookup));
      if (license?.['id'] !== licenseId || license['movedTo'] !== undefined || license['replacedAt'] !== undefined)
        yield 'is not where its id leads to';
    },
  }),
  deviceKey: createRule({
    schema: Device,
    id: () => 'a device',
    key: ({ deviceHash }, { owner }) => deviceKey(owner, deviceHash),
    async *faults({ lookup, movedTo, deviceHash }, read, { owner }) {
      const license = await read.get(licenseKey(owner));
      const id = String(license?.['id'] ?? 'a license that is not there');
      if (!license) yield `is of ${id}`;
      if (lookup !== owner) yield `of ${id} names another license`;
      if (movedTo !== undefined && !(await read.get(deviceKey(movedTo, deviceHash))))
        yield `of ${id} was moved, and is not where it was moved to`;
    },
  }),
  seatKey: createRule({
    schema: Device,
    id: () => 'a seat',
    key: ({ deviceHash }, { owner }) => seatKey(owner, deviceHash),
    async *faults({ deviceHash, activatedAt }, read, { owner }) {
      const device = await read.get(deviceKey(owner, deviceHash));
      const isMoved = device?.['movedTo'] !== undefined;
      if (!isMoved && (!isSeated(device) || device?.['activatedAt'] !== activatedAt)) yield 'is of a device that has none';
    },
  }),
  testKeyKey: createRule({
    schema: z.object({ licenseId: idOf('license') }),
    key: ({ licenseId }, { owner }) => testKeyKey(idFromKey('product', owner), licenseId),
    async *faults({ licenseId }, read, { owner }) {
      const pointer = await read.get(licensePointerKey(licenseId));
      const license = typeof pointer?.['lookup'] === 'string' ? await read.get(licenseKey(pointer['lookup'])) : undefined;
      if (license?.['productId'] !== owner || license['orderId'] !== undefined) yield `is no test key of ${owner}, which lists it as one`;
    },
  }),
  aliveTestKeysKey: createRule({
    schema: AliveTestKeys,
    async *faults({ alive }, read, { owner }) {
      const productId = idFromKey('product', owner);
      for (const id of Object.keys(alive))
        if (!(await read.get(testKeyKey(productId, idFromKey('license', id))))) yield `has a place for ${id}, which is no test key of it`;
    },
  }),
  licenseFactsKey: createRule({
    schema: LicenseFacts,
    key: ({ licenseId }) => licenseFactsKey(licenseId),
    faults: (facts, read) => faultsOfFacts(facts, read),
  }),
  buyerMovesKey: createRule({
    schema: BuyerMoves,
    key: ({ licenseId }) => buyerMovesKey(licenseId),
    async *faults({ licenseId }, read) {
      if (!(await read.get(licensePointerKey(licenseId)))) yield 'was moved by its buyer, and is not there';
    },
  }),
} as const;

async function* faultsOfFacts(facts: LicenseFacts, read: Read): AsyncGenerator<string> {
  const { licenseId, additions } = facts;
  const lookup = (await read.get(licensePointerKey(licenseId)))?.['lookup'];
  const license = License.safeParse(typeof lookup === 'string' ? await read.get(licenseKey(lookup)) : undefined);
  if (!license.success) yield 'has facts, and is not there';
  else {
    const { activationLimit, updatesUntil } = entitlementsOf(facts);
    if (license.data.activationLimit !== activationLimit)
      yield `has the limit ${license.data.activationLimit}, and its facts say ${activationLimit}`;
    if (license.data.updatesUntil !== updatesUntil) yield 'has another end of updates than its facts say';
  }
  for (const [id, { kind, paidAt, counts }] of Object.entries(additions)) {
    const order = Order.safeParse(await read.get(orderKey(idFromKey('order', id))));
    const isOfIt = order.success && order.data.addedTo?.licenseId === licenseId && order.data.kind === kind;
    if (!isOfIt) yield `has the addition ${id}, which is not there or of another license`;
    else if (order.data.checkout.paidAt !== paidAt || (ownHold(order.data) === undefined) !== counts)
      yield `has the addition ${id} otherwise than that says`;
  }
}

/** Of the items of a replaced key one is in the list, that of the current pepper. */
function listOfReplaced({ id, lookup, replacedAt, listPk }: Record<string, unknown>): ListPlace | undefined {
  if (listPk === undefined || typeof lookup !== 'string' || typeof replacedAt !== 'string') return undefined;
  return { name: `replaced-keys#${pepperVersionOf(lookup)}`, at: replacedAt, id: String(id) };
}

async function* faultsOfLicense(license: License, read: Read): AsyncGenerator<string> {
  const { id, orderId, productId, sellerId, lookup, movingFrom, activationCount, formerKeys = [] } = license;
  const pointer = await read.get(licensePointerKey(id));
  if (pointer?.['lookup'] !== lookup) yield 'is not found by its id';
  else if (pointer['movingFrom'] !== movingFrom) yield 'moves from elsewhere than its id says';
  if (orderId === undefined) yield* faultsOfTestKey(license, read);
  const order = orderId && (await read.get(orderKey(orderId)));
  if (orderId && !order) yield `is of ${orderId}, which is not there`;
  if (order && order['licenseId'] !== id) yield `is of ${orderId}, which has ${String(order['licenseId'] ?? 'no license')}`;
  else if (order && (order['productId'] !== productId || order['sellerId'] !== sellerId))
    yield `is of ${orderId}, which is of another product or seller`;
  const lookups = movingFrom === undefined ? [lookup] : [lookup, movingFrom];
  const devices = (await Promise.all(lookups.map((at) => read.query(devicesOfLicense(at))))).flat();
  const seated = devices.filter((item) => isSeated(item)).length;
  if (seated !== activationCount) yield `counts ${activationCount} seats, and has ${seated} active devices`;
  const former = await Promise.all(formerKeys.map((key) => read.get(licenseKey(key.lookup))));
  if (former.some((item) => item?.['id'] !== id || item['replacedAt'] === undefined)) yield 'had a key that is not known as replaced';
}

async function* faultsOfTestKey({ id, productId, revokedAt, expiresAt }: License, read: Read): AsyncGenerator<string> {
  if (!(await read.get(testKeyKey(productId, id)))) yield 'has no order, and is not among the test keys of its product';
  const places = AliveTestKeys.safeParse(await read.get(aliveTestKeysKey(productId))).data?.alive ?? {};
  if (revokedAt !== undefined && id in places) yield 'is a test key that ended, and takes a place still';
  // Who expired keeps the place until another test key is minted.
  const isExpired = expiresAt !== undefined && expiresAt <= new Date().toISOString();
  if (revokedAt === undefined && !isExpired && places[id] !== expiresAt) yield 'is a test key that is alive, and takes no place';
}

function isSeated(item: unknown): boolean {
  const device = Device.safeParse(item);
  return device.success && isActive(device.data) && device.data.movedTo === undefined;
}

async function* faultsOfCopy({ id, lookup, movedTo }: License, read: Read): AsyncGenerator<string> {
  const pointer = await read.get(licensePointerKey(id));
  if (pointer?.['movingFrom'] !== lookup || pointer['lookup'] !== movedTo) yield 'has an old copy, and does not move from there';
}

async function* faultsOfReplaced({ id, lookup }: ReplacedKey, read: Read): AsyncGenerator<string> {
  const pointer = await read.get(licensePointerKey(id));
  if (!pointer) yield 'had a key before, and is not there';
  else if (pointer['lookup'] === lookup) yield 'is found under a key that was replaced';
}
