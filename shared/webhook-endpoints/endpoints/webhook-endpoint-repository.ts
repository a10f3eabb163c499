import { endpointCountKey, endpointKey, endpointsOfSeller } from '../../db/keys.ts';
import { checkUnchanged, deleteUnchanged, lockConflict } from '../../db/optimistic-lock.ts';
import { listPartitionPage, type Page, type PageRequest } from '../../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../../db/table.ts';
import { AppError } from '../../errors.ts';
import { type EndpointId, isId, type SellerId } from '../../ids.ts';
import { type WebhookEndpoint, WebhookEndpointRecord } from './webhook-endpoint.ts';

/** How many endpoints a seller may have. */
const maxEndpoints = 5;

/** What its seller changes, and what goes with it. */
const changeable = [
  'url',
  'eventTypes',
  'description',
  'enabled',
  'disabledReason',
  'disabledAt',
  'failingSince',
  'sealedSecret',
  'formerSecrets',
  'updatedAt',
] as const satisfies readonly (keyof WebhookEndpointRecord)[];

export async function findEndpoint(table: Table, sellerId: SellerId, endpointId: EndpointId): Promise<WebhookEndpointRecord | undefined> {
  const item = isId('endpoint', endpointId) ? await table.get(endpointKey(sellerId, endpointId)) : undefined;
  return item && WebhookEndpointRecord.parse(item);
}

/** All of the seller's, in the order in which they were made. */
export async function listEndpoints(table: Table, sellerId: SellerId): Promise<WebhookEndpointRecord[]> {
  const { pk, prefix } = endpointsOfSeller(sellerId);
  const { items } = await table.query({ partition: pk, prefix });
  return items.map((item) => WebhookEndpointRecord.parse(item));
}

/** Nothing but failures came back since then. Deleted, changed since it was read, or failing since before → ConditionFailedError. */
export function recordFailing({ sellerId, id, revision }: WebhookEndpointRecord, at: Date): Write {
  return {
    update: {
      Key: endpointKey(sellerId, id),
      UpdateExpression: 'SET failingSince = :at',
      ConditionExpression: 'revision = :revision AND attribute_not_exists(failingSince)',
      ExpressionAttributeValues: { ':at': at.toISOString(), ':revision': revision },
    },
  };
}

/** The clock that made it was ahead: it was there from then on. Deleted, or there from earlier on → ConditionFailedError. */
export function recordEarlierStart({ sellerId, id }: WebhookEndpointRecord, createdAt: string): Write {
  return {
    update: {
      Key: endpointKey(sellerId, id),
      UpdateExpression: 'SET createdAt = :at',
      ConditionExpression: 'createdAt > :at',
      ExpressionAttributeValues: { ':at': createdAt },
    },
  };
}

/** An event was taken. Deleted → ConditionFailedError. */
export function recordAccepted({ sellerId, id }: WebhookEndpointRecord): Write {
  return {
    update: {
      Key: endpointKey(sellerId, id),
      UpdateExpression: 'REMOVE failingSince',
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
}

/** Nothing is sent any more until its seller enables it. Changed since it was read → ConditionFailedError. */
export function disableEndpoint(
  { sellerId, id, revision }: WebhookEndpointRecord,
  reason: WebhookEndpoint['disabledReason'],
  at: Date,
): Write {
  return {
    update: {
      Key: endpointKey(sellerId, id),
      UpdateExpression:
        'SET #enabled = :no, disabledReason = :reason, disabledAt = :at, updatedAt = :at REMOVE failingSince ADD revision :one',
      ConditionExpression: '#enabled = :yes AND revision = :revision',
      ExpressionAttributeNames: { '#enabled': 'enabled' },
      ExpressionAttributeValues: {
        ':no': false,
        ':yes': true,
        ':reason': reason,
        ':at': at.toISOString(),
        ':one': 1,
        ':revision': revision,
      },
    },
  };
}

/** A page of the seller's, newest first. */
export async function listEndpointPage(table: Table, sellerId: SellerId, request: PageRequest): Promise<Page<WebhookEndpointRecord>> {
  const range = endpointsOfSeller(sellerId);
  const page = await listPartitionPage(table, `endpoints-of-${sellerId}`, range, { ...request, newestFirst: true });
  return { ...page, items: page.items.map((item) => WebhookEndpointRecord.parse(item)) };
}

/** Adds an endpoint, and counts it. As many as there may be already → too_many_endpoints. */
export function addEndpoint(endpoint: WebhookEndpointRecord): Write[] {
  return [
    {
      update: {
        Key: endpointCountKey(endpoint.sellerId),
        UpdateExpression: 'ADD endpointCount :one',
        ConditionExpression: 'attribute_not_exists(endpointCount) OR endpointCount < :most',
        ExpressionAttributeValues: { ':one': 1, ':most': maxEndpoints },
      },
      onConditionFailed: () => new AppError('too_many_endpoints'),
    },
    { put: { Item: { ...endpointKey(endpoint.sellerId, endpoint.id), ...endpoint }, ...ifAbsent } },
  ];
}

/** Deletes exactly the endpoint that was read, which gives its place back. @throws OptimisticLockError */
export function removeEndpoint(read: WebhookEndpointRecord): Write[] {
  return [
    deleteUnchanged(endpointKey(read.sellerId, read.id), read),
    {
      update: {
        Key: endpointCountKey(read.sellerId),
        UpdateExpression: 'ADD endpointCount :less',
        ConditionExpression: 'endpointCount > :none',
        ExpressionAttributeValues: { ':less': -1, ':none': 0 },
      },
    },
  ];
}

/** Changes exactly the endpoint that was read to what `next` says, and nothing that its sender wrote meanwhile. @throws OptimisticLockError */
export function changeEndpoint(read: WebhookEndpointRecord, next: WebhookEndpointRecord): Write {
  const differing = changeable.filter((name) => next[name] !== read[name]);
  const set = differing.filter((name) => next[name] !== undefined);
  const removed = differing.filter((name) => next[name] === undefined);
  const assignments = [...set.map((name) => `#${name} = :${name}`), 'revision = :next'].join(', ');
  return {
    update: {
      Key: endpointKey(read.sellerId, read.id),
      UpdateExpression: `SET ${assignments}${removed.length > 0 ? ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : ''}`,
      ConditionExpression: 'revision = :read',
      ...(differing.length > 0 && { ExpressionAttributeNames: Object.fromEntries(differing.map((name) => [`#${name}`, name])) }),
      ExpressionAttributeValues: {
        ...Object.fromEntries(set.map((name) => [`:${name}`, next[name]])),
        ':next': read.revision + 1,
        ':read': read.revision,
      },
    },
    onConditionFailed: lockConflict,
  };
}

/** Holds while the endpoint is as it was read. @throws OptimisticLockError */
export const checkEndpointUnchanged = (read: WebhookEndpointRecord): Write => checkUnchanged(endpointKey(read.sellerId, read.id), read);
