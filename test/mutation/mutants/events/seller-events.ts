import type { Mutant } from '../../mutant.ts';

const seats = ['test/endpoints/seller-events/seat-events.test.ts'];
const reviews = ['test/endpoints/seller-events/review-events.test.ts'];
const endpoints = ['test/endpoints/seller-events/webhook-endpoints.test.ts'];
const replays = ['test/endpoints/seller-events/replays.test.ts'];
const sales = ['test/integration/payments/order-events.test.ts'];
const saleRules = ['test/unit/seller-events/order-events.test.ts'];
const stored = ['test/integration/licenses/license-repository.test.ts'];
const races = ['test/integration/races/seller-events.test.ts'];
const publishing = ['test/integration/jobs/event-publisher.test.ts'];
const service = ['test/infra/service.test.ts'];
const stream = ['test/local/table-stream.test.ts'];

/** Mistakes in one file, that the same tests notice. */
const planted = (file: string, tests: readonly string[], mistakes: readonly [fault: string, code: string, mutant: string][]): Mutant[] =>
  mistakes.map(([fault, code, mutant]) => ({ fault, file, code, mutant, tests }));

const room = 'shared/webhook-endpoints';
const licenses = 'shared/licenses';

const causes: readonly Mutant[] = [
  ...planted(`${licenses}/license-events.ts`, seats, [
    ['a status that stays is told as changed', 'previousStatus === status ? []', "previousStatus === 'none' ? []"],
    ['the status is told before the change', 'const [previousStatus, status] =', 'const [status, previousStatus] ='],
    ['the seat that was taken is not counted', 'activationCount + 1', 'activationCount'],
    ['the seat that was freed is still counted', 'activationCount - 1', 'activationCount'],
    ['a replaced key without devices frees seats', 'if (releasedCount === 0) return [];', ''],
    [
      'a replaced key leaves its seats counted',
      'releasedCount, activationCount: 0, activationLimit',
      'releasedCount, activationCount: releasedCount, activationLimit',
    ],
    ['one release is told as of all seats', 'releasedCount: 1,', 'releasedCount: activationCount,'],
    [
      'a refusal tells the limit of none',
      "code: 'activation_limit_exceeded', activationCount,",
      "code: 'activation_limit_exceeded', activationCount: 0,",
    ],
  ]),
  ...planted(`${licenses}/license-events.ts`, sales, [
    [
      'an issued license is told as active whatever it is',
      'status: statusOf(license, now), licenseIssuanceMode',
      "status: 'active', licenseIssuanceMode",
    ],
  ]),
  ...planted('shared/orders/order-events.ts', saleRules, [
    ['a refund that failed is told as one', 'amountRefunded > refundedAmountOf(known)', 'amountRefunded !== refundedAmountOf(known)'],
    ['an amount that is known is told again', 'amountRefunded > refundedAmountOf(known)', 'amountRefunded >= refundedAmountOf(known)'],
    ['a dispute that is known is told again', 'if (before?.state === state) return [];', ''],
    ['a lost dispute that comes first never began', 'holds(state) && !holds(before?.state)', "state === 'open' && !holds(before?.state)"],
    [
      'a dispute that was lost is told as new when it is won',
      'holds(state) && !holds(before?.state)',
      '!holds(before?.state) || holds(state)',
    ],
    ['a prevented dispute is told as won', "state === 'won' && holds(before?.state)", "state === 'won'"],
    [
      'a dispute that was lost is not told as won',
      "state === 'won' && holds(before?.state)",
      "state === 'won' && before?.state === 'open'",
    ],
    ['an inquiry is a dispute', "state === 'open' || state === 'lost'", "state !== 'won'"],
  ]),
  ...planted('shared/orders/order-events.ts', sales, [
    ['facts of a payment that never arrived are told', 'if (!wasPaid(after.order)) return [];', ''],
    ['what came before the payment is never told', 'wasPaid(before.order) ? before.charge : noChargeFacts', 'before.charge'],
    ['the payment is told with every fact', 'wasPaid(before.order) ? [] : [{ type', '!wasPaid(after.order) ? [] : [{ type'],
    ['the status before is told', 'status, amount, currency } = after.order', 'status, amount, currency } = before.order'],
  ]),
  ...planted('functions/event-projector/apply-payment-update.ts', sales, [
    ['nothing is told of sales', '      ...events,\n', ''],
    ['nothing is told of holds', '        ...recorded(order, changes),\n', ''],
    [
      'a hold is told of a license that is revoked',
      'licenseStatusChange(license, { ...license, paymentHold: hold }, now())',
      'licenseStatusChange({ ...license, revokedAt: undefined }, { ...license, revokedAt: undefined, paymentHold: hold }, now())',
    ],
    [
      'what is new of a charge is not told',
      'orderEvents({ order, charge: knownCharge }, { order: updated, charge })',
      'orderEvents({ order, charge: knownCharge }, { order: updated, charge: knownCharge })',
    ],
  ]),
  ...planted('functions/event-projector/issue-license.ts', sales, [
    ['nothing is told of new licenses', '        recordEvent(sellerId, licenseIssued(license, now())),\n', ''],
  ]),
  ...planted(`${licenses}/license-service.ts`, seats, [
    ['nothing is told of seats that admins free', '          recordEvent(license.sellerId, activationReleased(license, device)),\n', ''],
    ['nothing is told of revocations', '          ...statusEvents(license, revoked, at),\n', ''],
  ]),
  ...planted(`${licenses}/buyer-license-service.ts`, seats, [
    ['nothing is told of seats that buyers free', '            recordEvent(license.sellerId, activationReleased(license, device)),\n', ''],
    [
      'nothing is told of replaced keys',
      '            ...everySeatReleased(license).map((happening) => recordEvent(license.sellerId, happening)),\n',
      '',
    ],
    [
      'a replaced key frees no seat that is told',
      '...everySeatReleased(license).map',
      '...everySeatReleased({ ...license, activationCount: 0 }).map',
    ],
  ]),
  ...planted(`${licenses}/replaced-key-repository.ts`, races, [
    [
      'a seat that is taken meanwhile is freed and never told',
      "ifSame(license, ['activationCount', 'activationLimit',",
      "ifSame(license, ['activationLimit',",
    ],
  ]),
  ...planted(`${licenses}/runtime-service.ts`, seats, [
    [
      'nothing is told of seats that are taken',
      'licenses.takeSeat(license, seat), recordEvent(license.sellerId, activationCreated(license, seat))]',
      'licenses.takeSeat(license, seat)]',
    ],
    [
      'nothing is told of seats that are left',
      'licenses.releaseSeat(license, device, at), released]',
      'licenses.releaseSeat(license, device, at)]',
    ],
    [
      'nothing is told of refusals',
      'licenses.refuseSeat(license, seat), recordEvent(license.sellerId, activationRefused(license))]',
      'licenses.refuseSeat(license, seat)]',
    ],
    ['a refusal is told of and given nonetheless', "        throw new AppError('activation_limit_exceeded');\n", ''],
    [
      'the last seat is refused',
      'license.activationCount >= license.activationLimit',
      'license.activationCount + 1 >= license.activationLimit',
    ],
  ]),
  ...planted(`${licenses}/runtime-service.ts`, races, [
    ['a refusal is told that nobody confirmed', '...licenses.refuseSeat(license, seat), recordEvent', 'recordEvent'],
    [
      'who loses the last seat is never told',
      'license.activationCount >= license.activationLimit',
      'license.activationCount > license.activationLimit',
    ],
  ]),
  ...planted(`${licenses}/license-repository.ts`, races, [
    [
      'a device that has its seat by now is told as refused',
      'Key: deviceKey(device?.lookup ?? license.lookup, deviceHash), ConditionExpression: hasNoSeat }',
      "Key: deviceKey(device?.lookup ?? license.lookup, deviceHash), ConditionExpression: 'attribute_not_exists(movedTo)' }",
    ],
    [
      'a refusal is told of a license that is revoked by now',
      'isUsable} AND activationCount >= activationLimit',
      'isHere} AND (expiresAt > :now OR attribute_exists(pk)) AND activationCount >= activationLimit',
    ],
    [
      'a refusal is told although a seat is free by now',
      ' AND activationCount >= activationLimit`',
      ' AND activationCount >= activationCount`',
    ],
  ]),
  ...planted(`${licenses}/license-repository.ts`, stored, [
    [
      'a revocation tells a status that was another by then',
      ' AND attribute_not_exists(revokedAt) AND $',
      ' AND attribute_not_exists(revokedAt) OR $',
    ],
    [
      'a hold tells a status that was suspended by then',
      "['revokedAt', 'paymentHold', 'suspendedAt', 'expiresAt']",
      "['revokedAt', 'paymentHold', 'expiresAt']",
    ],
  ]),
  ...planted('shared/products/product-review.ts', reviews, [
    [
      'decisions that change nothing are told',
      '? [products.productUnchanged(product)]',
      '? [products.productUnchanged(product), recordEvent(product.sellerId, happening)]',
    ],
    [
      'nothing is told of decisions about products',
      ': [...products.replaceProduct(product, next), recordEvent(product.sellerId, happening)]',
      ': products.replaceProduct(product, next)',
    ],
    [
      'the status before the decision is told',
      'const { status, pendingStatus } = auditedState(next);',
      'const { status, pendingStatus } = auditedState(product);',
    ],
  ]),
  ...planted('shared/product-files/product-file-reviews.ts', reviews, [
    [
      'decisions about files that change nothing are told',
      '? [files.fileUnchanged(read)]',
      '? [files.fileUnchanged(read), recordEvent(product.sellerId, happening)]',
    ],
    [
      'nothing is told of decisions about files',
      ': [...(await files.replaceFile(read, next)), recordEvent(product.sellerId, happening)]',
      ': await files.replaceFile(read, next)',
    ],
    ['the status of a file before the decision is told', 'decision, status: next.status', 'decision, status: read.status'],
  ]),
];

const publisher = 'functions/event-publisher/publish-event.ts';
const publication: readonly Mutant[] = [
  ...planted(publisher, publishing, [
    ['disabled endpoints get events', '.filter((endpoint) => endpoint.enabled)', ''],
    ['every endpoint gets every event', 'enabled.filter((endpoint) => wantsEvent(endpoint, event))', 'enabled'],
    ['an event is kept and brought to nobody', 'wanting.flatMap(({ id }) => deliveries.addDelivery(id, event, now()))', '[]'],
    [
      'an event that nobody wants is kept by a transaction',
      'if (added.length === 0) await table.write(events.keepEvent(event));\n      else await',
      'await',
    ],
    [
      'senders are not woken',
      '    await Promise.all(tasks.map((task) => table.write(jobs.wakeJob(task, deliveryLeaseSeconds, fresh))));\n',
      '',
    ],
    ['senders are not sent a message', '    await Promise.all(tasks.map((task) => sender.sendJob(task)));\n', ''],
    ['an event stays to be published', '    await table.write(jobs.finishJob(job));\n', ''],
    ['an event that is kept fails for ever', '      return false;\n', '      throw error;\n'],
    [
      'an event that was kept wakes only who wants it now',
      '(await keep(event, wanting)) ? wanting : enabled',
      '(await keep(event, wanting)) ? wanting : wanting',
    ],
    [
      'what cannot be read is tried for a day',
      "throw new DeadJobError('seller_event_unreadable')",
      "throw new Error('seller_event_unreadable')",
    ],
    ['what its type does not tell is kept too', 'return { ...event.data, data: data.data };', 'return event.data;'],
    ['what its type must tell may be missing', '!event.success || !data?.success', '!event.success || !data'],
  ]),
  ...planted('shared/seller-events/seller-event-repository.ts', publishing, [
    ['an event told of twice is kept twice', 'return { put: { Item: item, ...ifAbsent } };', 'return { put: { Item: item } };'],
    ['events are kept for ever', '...event, ttl };', '...event };'],
  ]),
  ...planted('shared/seller-events/seller-event.ts', publishing, [
    ['events are kept for three days', 'const keptDays = 30;', 'const keptDays = 3;'],
  ]),
  ...planted('shared/queue/stream-records.ts', publishing, [
    ['records of the stream are ignored', 'messageOfRecord(record)', '[]'],
    ['a record without keys fails the batch', 'if (pk === undefined || messageId === undefined) return [];', ''],
    [
      'what was not handled has no name in the stream',
      'const messageId = dynamodb?.SequenceNumber;',
      "const messageId = dynamodb?.SequenceNumber && '';",
    ],
  ]),
  ...planted('infra/stacks/worker-stack.ts', service, [
    ['the publisher is told of every job', "jobKey('publish-event:').pk", "jobKey('').pk"],
    ['the publisher is told of jobs that are changed and gone', "eventName: FilterRule.isEqual('INSERT'),", ''],
    [
      'every function of a queue reads the stream',
      "if (definition.name === 'event-publisher') worker",
      "if (definition.name !== 'sweeper') worker",
    ],
  ]),
  ...planted('infra/stacks/data-stack.ts', service, [
    ['the stream copies whole items', 'StreamViewType.KEYS_ONLY', 'StreamViewType.NEW_AND_OLD_IMAGES'],
  ]),
  ...planted('infra/local/lambda/table-stream.ts', stream, [
    [
      'what could not be handled is not told again',
      '      for (let at = 0; at < records.length',
      '      since = now;\n      seen = new Set(found.map(({ pk }) => pk));\n      for (let at = 0; at < records.length',
    ],
    ['every look tells of all again', '.filter(({ pk }) => !seen.has(pk))', ''],
    ['every job is told of', '.filter((record) => isWanted(record, source.patterns))', ''],
  ]),
];

const endpointRecord = `${room}/webhook-endpoint.ts`;
const repository = `${room}/webhook-endpoint-repository.ts`;
const endpointService = `${room}/webhook-endpoint-service.ts`;
const sellersSide: readonly Mutant[] = [
  ...planted(repository, publishing, [
    ['a sixth endpoint is made', 'const mostEndpoints = 5;', 'const mostEndpoints = 6;'],
    ['the count is off by one', 'OR endpointCount < :most', 'OR endpointCount <= :most'],
    ['a deleted endpoint keeps its place', "':less': -1", "':less': 0"],
    [
      'an endpoint that is deleted twice gives back two places',
      'deleteUnchanged(endpointKey(read.sellerId, read.id), read),',
      '{ delete: { Key: endpointKey(read.sellerId, read.id) } },',
    ],
    [
      'of two changes at once one is lost',
      "ConditionExpression: 'revision = :read',",
      "ConditionExpression: 'revision >= :read OR revision < :read',",
    ],
    ['changes are not counted', "':next': read.revision + 1", "':next': read.revision"],
  ]),
  ...planted(repository, endpoints, [
    ['endpoints are listed oldest first', '{ ...request, newestFirst: true }', '{ ...request, newestFirst: false }'],
    ['what is to be removed stays', ' REMOVE ${removed', ' SET ${removed.slice(9)'],
  ]),
  ...planted(endpointRecord, endpoints, [
    ['a list of no types is taken', "    z.minLength(1, 'Must name at least one type, or be left out'),\n", ''],
    ['a type may be named twice', 'new Set(types).size === types.length', 'new Set(types).size <= types.length'],
    [
      'all types of today are those of ever',
      'named.length === sellerEventTypes.length ? undefined : named',
      'types === undefined ? undefined : named',
    ],
    ['a field that is left out is emptied', 'description = endpoint.description', "description = ''"],
    [
      'why it was disabled stays when it is enabled',
      'disabledReason: isEnabled ? undefined : endpoint.disabledReason',
      'disabledReason: endpoint.disabledReason',
    ],
    ['failures are forgotten with every change', "(isEnabled || changed.includes('url'))", '(isEnabled || changed.length > 0)'],
    ['failures of the former URL count', "(isEnabled || changed.includes('url'))", 'isEnabled'],
    ['the path of the URL is audited', 'host: new URL(url).host', 'host: url'],
    ['whoever is enabled already is woken', 'const isEnabled = enabled && !endpoint.enabled;', 'const isEnabled = enabled;'],
    ['any change ends a replay', 'isDisabled: endpoint.enabled && !enabled', 'isDisabled: changed.length > 0'],
    ['a long description is taken', 'description: z.optional(text(200))', 'description: z.optional(text(2000))'],
  ]),
  ...planted(endpointRecord, publishing, [
    [
      'an event for one endpoint goes to all',
      'endpointId === undefined ? (eventTypes?.includes(type) ?? true) : endpointId === id',
      'eventTypes?.includes(type) ?? true',
    ],
    [
      'an event for one endpoint must be of its types',
      ': endpointId === id',
      ': endpointId === id && (eventTypes?.includes(type) ?? true)',
    ],
    ['who wants all types gets none', '(eventTypes?.includes(type) ?? true)', '(eventTypes?.includes(type) ?? false)'],
  ]),
  ...planted(`${room}/signing-secret.ts`, endpoints, [
    ['secrets are half as long', 'randomBytes(32)', 'randomBytes(16)'],
    ['the old secret ends at once', '[{ sealed: sealedSecret, signsUntil }, ...', '[...'],
    ['the old secret signs for two days', 'const formerSecretHours = 24;', 'const formerSecretHours = 48;'],
    [
      'a second rotation ends the secret before the last',
      ', ...formerSecrets.filter((secret) => signsStill(secret, at))];\n  return { sealed',
      '];\n  return { sealed',
    ],
    ['old secrets sign for ever', '...formerSecrets.filter((secret) => signsStill(secret, at)).map', '...formerSecrets.map'],
    ['a secret signs at the moment at which it ends', 'at.toISOString() < signsUntil', 'at.toISOString() <= signsUntil'],
    ['old secrets pile up', 'former.slice(0, mostFormerSecrets)', 'former'],
    ['the oldest secrets are kept', 'former.slice(0, mostFormerSecrets)', 'former.slice(-mostFormerSecrets)'],
  ]),
  ...planted(endpointService, endpoints, [
    [
      'another seller’s endpoint is forbidden, so it is there',
      "if (!endpoint) throw new AppError('endpoint_not_found');",
      "if (!seller || !endpoint) throw new AppError('forbidden');",
    ],
    ['a suspended seller changes endpoints', 'requireEligible(seller);', ''],
    ['the secret is kept as it is', 'sealText(secret, endpointId, encryptionKeys)', 'secret'],
    [
      'the secret is sealed to every endpoint',
      'sealText(secret, endpointId, encryptionKeys)',
      "sealText(secret, 'endpoint', encryptionKeys)",
    ],
    [
      'who has not applied is not eligible',
      "if (!seller) throw new AppError('seller_required');",
      "if (!seller) throw new AppError('seller_not_eligible');",
    ],
    ['an enabled endpoint is not woken', '...(beginsAnew ? [wake(endpoint)] : []),', ''],
    ['an enabled endpoint waits for the sweeper', '        if (beginsAnew) await sendJob(deliveryTask(endpoint));\n', ''],
    ['a disabled endpoint gets its replay', '...(isDisabled ? [deliveries.cancelReplay(endpointId)] : []),', ''],
    ['what differs in nothing is written', 'if (changed.length === 0) return toWebhookEndpoint(endpoint);', ''],
    [
      'changes are not audited',
      "          record(userId, endpoint, {\n            action: 'webhook_endpoint.update',\n            before: auditedEndpoint(endpoint),\n            after: { ...auditedEndpoint(next), changed: changed.join(' ') },\n          }),\n",
      '',
    ],
    ['a test event goes to every endpoint', 'data: { endpointId: endpoint.id } }, endpoint.id)', 'data: { endpointId: endpoint.id } })'],
  ]),
  ...planted(endpointService, publishing, [
    [
      'a deleted endpoint leaves its replay',
      "          deliveries.cancelReplay(endpointId),\n          record(userId, endpoint, { action: 'webhook_endpoint.delete'",
      "          record(userId, endpoint, { action: 'webhook_endpoint.delete'",
    ],
  ]),
  ...planted(endpointService, replays, [
    ['a time to come is taken', 'since !== undefined && since > now()', 'since !== undefined && since > new Date(now().getTime() + 1000)'],
    ['this very moment is no time to begin', 'since !== undefined && since > now()', 'since !== undefined && since >= now()'],
    ['an event of another endpoint alone is replayed', '|| (event.endpointId !== undefined && event.endpointId !== id)', ''],
    [
      'an event that is gone is replayed',
      'const event = eventId && (await events.findEvent(sellerId, eventId));',
      'const event = eventId && { ...(await events.findEvent(sellerId, eventId)), id: eventId, endpointId: undefined };',
    ],
    ['a replay waits for the next event', '          wake(endpoint),\n', ''],
    ['a replay waits for the sweeper', '        await sendJob(deliveryTask(endpoint));\n      });', '      });'],
    ['times before there were any break the sender', 'new Date(Math.max(since.getTime(), 0))', 'new Date(since.getTime())'],
    ['sellers see another id than receivers', 'eventId: messageIdOf(delivery.eventId, endpoint.id)', 'eventId: delivery.eventId'],
  ]),
  ...planted(`${room}/delivery.ts`, replays, [
    ['endpoints share the ids of messages', "createHash('sha256').update(endpointId)", "createHash('sha256').update(eventId)"],
    ['a part of a message’s id is one', '(?:_[\\w-]{8})?$', '(?:_[\\w-]{0,8})?$'],
    ['a longer text is a message’s id', '(?:_[\\w-]{8})?$/', '(?:_[\\w-]{8})?/'],
    ['the id of the event alone is none', '(?:_[\\w-]{8})?$', '(?:_[\\w-]{8})$'],
  ]),
  ...planted('functions/webhook-endpoints/replay-events.ts', replays, [
    ['a time and an event are taken together', 'since === undefined || eventId === undefined', 'since === undefined || eventId !== null'],
    ['a time without a zone is taken', 'z.iso.datetime({ offset: true })', 'z.iso.datetime({ offset: true, local: true })'],
  ]),
  ...planted('functions/webhook-endpoints/create-endpoint.ts', endpoints, [
    ['a URL of this machine is refused locally', 'bodyFor: ({ createRequest }: Services) => createRequest,', ''],
  ]),
  ...planted('functions/webhook-endpoints/update-endpoint.ts', endpoints, [
    ['an endpoint is not moved to this machine locally', 'bodyFor: ({ updateRequest }: Services) => updateRequest,', ''],
  ]),
];

export const sellerEvents: readonly Mutant[] = [...causes, ...publication, ...sellersSide];
