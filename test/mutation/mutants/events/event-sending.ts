import type { Mutant } from '../../mutant.ts';

const tests = 'test/integration/webhook-endpoints';
const unit = 'test/unit/webhook-endpoints';
const request = [`${tests}/send-request.test.ts`];
const deliveries = [`${tests}/deliveries.test.ts`];
const failing = [`${tests}/failing-endpoints.test.ts`];
const runs = [`${tests}/runs.test.ts`];
const replays = [`${tests}/replays.test.ts`];
const crashes = [`${tests}/delivery-crashes.test.ts`];
const rules = [`${unit}/deliveries.test.ts`];
const urls = [`${unit}/endpoint-url.test.ts`];
const addresses = [`${unit}/public-address.test.ts`];

const room = 'shared/webhook-endpoints';

/** Mistakes in one file, that the same tests notice. */
const planted = (
  file: string,
  noticedBy: readonly string[],
  mistakes: readonly [fault: string, code: string, mutant: string][],
): Mutant[] => mistakes.map(([fault, code, mutant]) => ({ fault, file, code, mutant, tests: noticedBy }));

const whereTo: readonly Mutant[] = [
  ...planted(`${room}/public-address.ts`, addresses, [
    ['an address of a zone counts as public', "|| address.includes('%')", ''],
    ['addresses outside 2000::/3 are public', '!parsed.match(globalUnicast)', 'parsed.match(globalUnicast) && false'],
    ['every range but loopback is public', "parsed.range() === 'unicast'", "parsed.range() !== 'loopback'"],
    ['addresses in other notations are read', 'isIP(address) === 0 ||', '!ipaddr.isValid(address) ||'],
  ]),
  ...planted(`${room}/endpoint-url.ts`, urls, [
    ['any port is taken', "url.port === '' &&", ''],
    ['credentials are taken', "!authority.includes('@') &&", ''],
    ['IP addresses and names without a dot are taken', 'publicName.test(url.hostname) &&', ''],
    ['local names are taken', '&& !localName.test(url.hostname)', ''],
    ['names that end like local ones are refused', '/\\.(?:localhost', '/(?:localhost'],
    ['http on this machine is taken at every stage', "stage === 'local' && localReceiver", 'localReceiver'],
    ['http on every 127 address is taken locally', '/^http:\\/\\/127\\.0\\.0\\.1(', '/^http:\\/\\/127\\.\\d+\\.\\d+\\.\\d+('],
    ['fragments are taken', '[\\s\\\\#\\p{C}]', '[\\s\\\\\\p{C}]'],
    ['white space and control characters are dropped from a URL', '[\\s\\\\#\\p{C}]', '[\\\\#]'],
    ['a backslash passes for a slash', '[\\s\\\\#\\p{C}]', '[\\s#\\p{C}]'],
    ['http is taken for any name', '/^https:\\/\\/([^/?]+)/i', '/^https?:\\/\\/([^/?]+)/i'],
  ]),
  ...planted(
    `${room}/resolve-name.ts`,
    [`${tests}/resolve-name.test.ts`],
    [
      ['addresses of IPv6 are not looked at', ', resolver.resolve6(name)]', ']'],
      [
        'addresses of IPv6 are called first',
        '[resolver.resolve4(name), resolver.resolve6(name)]',
        '[resolver.resolve6(name), resolver.resolve4(name)]',
      ],
      ['a lookup that is given up goes on', "signal.addEventListener('abort', () => resolver.cancel(), { once: true });", ''],
    ],
  ),
  ...planted(`${room}/send-request.ts`, request, [
    ['one public address among private ones is enough', 'addresses.every(isPublicAddress)', 'addresses.some(isPublicAddress)'],
    ['only the address that is called is looked at', 'addresses.every(isPublicAddress)', 'isPublicAddress(address)'],
    ['private addresses are called', 'if (!addresses.every(isPublicAddress))', 'if (addresses.length > 100)'],
    ['the URL is not looked at again', '|| !isEndpointUrl(target, stage)', ''],
    ['the connection looks the name up again', 'connection = open(url, address);', 'connection = open(url, url.hostname);'],
    ['any certificate is good', 'rejectUnauthorized: true', 'rejectUnauthorized: false'],
    [
      'the certificate need not be the name’s',
      'servername: hostname, rejectUnauthorized',
      'servername: hostname, checkServerIdentity: () => undefined, rejectUnauthorized',
    ],
    ['a name without any address is connected to', 'if (address === undefined)', 'if (addresses === undefined)'],
    [
      'a lookup is waited for without end',
      'await untilAborted(addressOf(url, deadline.signal), deadline.signal)',
      'await addressOf(url, deadline.signal)',
    ],
    [
      'a reply is waited for without end',
      'await untilAborted(post(connection, url, outgoing), deadline.signal)',
      'await post(connection, url, outgoing)',
    ],
    ['all of a long reply is read', 'if (bytes > mostReplyBytes) settle();', ''],
    ['a megabyte of headers is read', 'const mostHeaderBytes = 16 * 1024;', 'const mostHeaderBytes = 1024 ** 2;'],
    ['another protocol is waited for', "request.once('upgrade', settle);", ''],
    ['connections stay open', '      connection?.close();\n', ''],
    ['a redirect counts as taken', 'statusCode >= 200 && statusCode < 300', 'statusCode >= 200 && statusCode < 400'],
    ['299 counts as failed', 'statusCode < 300)', 'statusCode < 299)'],
    ['a redirect is told as any status', "statusCode < 400 ? 'redirected'", "statusCode < 300 ? 'redirected'"],
    ['the query of the URL is lost', '{search}`,', '{""}`,'],
    ['the host is the address', '        host,\n', ''],
    ['the body has no type', "        'content-type': 'application/json',\n", ''],
    ['a handshake that fails is told as a connection', "(isHandshaking ? 'tls_failed' : 'connection_failed')", "'connection_failed'"],
  ]),
];

const messages: readonly Mutant[] = [
  ...planted(`${room}/event-message.ts`, deliveries, [
    [
      'names are those of the code',
      'toWire(sellerEventData[event.type].parse(event.data))',
      'sellerEventData[event.type].parse(event.data)',
    ],
    ['the body has the time of the attempt', 'timestamp: event.at, data', 'timestamp: at.toISOString(), data'],
    [
      'the message has the time of the event',
      "'webhook-timestamp': String(Math.floor(at.getTime() / 1000))",
      "'webhook-timestamp': String(Math.floor(Date.parse(event.at) / 1000))",
    ],
    ['the time is in milliseconds', 'Math.floor(at.getTime() / 1000)', 'at.getTime()'],
    ['signatures are joined by commas', "signatures.join(' ')", "signatures.join(',')"],
    ['the event’s id is signed', '.sign(id, at, body)', '.sign(event.id, at, body)'],
  ]),
  ...planted(`${room}/signing-secret.ts`, deliveries, [
    ['former secrets sign for ever', 'at.toISOString() < signsUntil', 'true || at < new Date(signsUntil)'],
    ['a former secret signs a moment too long', 'at.toISOString() < signsUntil', 'at.toISOString() <= signsUntil'],
  ]),
];

const schedule: readonly Mutant[] = [
  ...planted(`${room}/delivery.ts`, deliveries, [
    ['the second attempt comes too late', 'const retryDelays = [5, 5 * 60', 'const retryDelays = [50, 5 * 60'],
    ['the last attempt is left out', '20 * 3600, 24 * 3600]', '20 * 3600]'],
    ['a delay is that of the attempt after', 'retryDelays[delivery.attempts]', 'retryDelays[attempts]'],
    [
      'an error is told of what was taken',
      'lastError: error, nextAttemptAt: undefined',
      'lastError: error ?? delivery.lastError, nextAttemptAt: undefined',
    ],
    ['a delivery that was taken stays due', 'lastError: error, nextAttemptAt: undefined', 'lastError: error'],
  ]),
  ...planted(`${room}/delivery.ts`, rules, [
    ['attempts come without jitter', 'const jitter = 0.1;', 'const jitter = 0;'],
    ['jitter only delays', '(2 * random - 1)', 'random'],
    ['messages to two endpoints have one id', 'update(endpointId)', "update('endpoint')"],
  ]),
  ...planted(`${room}/delivery-pace.ts`, rules, [
    ['what is not due is sent', 'nextAttemptAt <= at.toISOString()', 'nextAttemptAt > at.toISOString() || true'],
    ['failing types go first', '[...others, ...failing]', '[...failing, ...others]'],
    ['a type stays failing for ever', '])].filter((type) => !taken.has(type));', '])];'],
    [
      'a rest has no end',
      'Math.min(restSeconds.first * 2 ** Math.max(hungRuns - 1, 0), restSeconds.most)',
      'restSeconds.first * 2 ** Math.max(hungRuns - 1, 0)',
    ],
    ['rests do not get longer', '* 2 ** Math.max(hungRuns - 1, 0)', ''],
    ['an answer counts as none', 'results.some(({ isHung }) => isHung) ? pace.hungRuns + 1 : 0', 'pace.hungRuns + 1'],
    ['something taken does not end the rests', 'hungRuns: 0, restsUntil: undefined', 'restsUntil: undefined'],
    ['lateness counts from when an event was due, whatever came between', '.toSorted().reverse()', '.slice(0, 1)'],
    ['a rest is over too late', 'at.toISOString() < restsUntil ?', 'at.toISOString() <= restsUntil ?'],
  ]),
  ...planted(`${room}/delivery-pace.ts`, runs, [
    ['all that is due is sent at the same time', 'export const sentTogether = 8;', 'export const sentTogether = 80;'],
    ['nobody looks beyond the failing ones', 'const lookAhead = 256;', 'const lookAhead = 8;'],
  ]),
];

const sending: readonly Mutant[] = [
  ...planted(`${room}/delivery-repository.ts`, deliveries, [
    ['a delivery stays in the place that it had', '...(former === undefined ? [] :', '...(former !== undefined ? [] :'],
  ]),
  ...planted(`${room}/delivery-repository.ts`, crashes, [['a replay that was cancelled goes on', '`attribute_exists(pk) AND $', '`$']]),
  ...planted(`${room}/delivery-service.ts`, deliveries, [
    ['an event that is gone stays pending', ': giveUp(endpoint, delivery)', ': undefined'],
    [
      'events that were given up are not told of',
      "if (isRecorded && after.status === 'failed') report",
      "if (isRecorded && after.status === 'delivered') report",
    ],
  ]),
  ...planted(`${room}/delivery-service.ts`, runs, [
    ['an event is asked for twice in one read', '[...new Set(due.map(({ eventId }) => eventId))]', 'due.map(({ eventId }) => eventId)'],
  ]),
  ...planted(`${room}/delivery-service.ts`, failing, [
    ['410 is a failure like any', 'outcome.statusCode === 410', 'outcome.statusCode === 404'],
    ['410 mails the seller', '...(isFailing ? [jobs.addJob(notice)] : [])', 'jobs.addJob(notice)'],
    [
      'an endpoint is failing although it takes others',
      '} else if (attempts.length > 0) {',
      '}\n    if (attempts.some(({ isTaken }) => !isTaken)) {',
    ],
    ['an endpoint is disabled after four days', 'const failingDays = 5;', 'const failingDays = 4;'],
    ['an endpoint is disabled a moment late', '24 * 3600_000 <= now()', '24 * 3600_000 < now()'],
    [
      'failing begins anew with each failure',
      'if (!endpoint.failingSince) await unlessChanged(table.write(endpoints.recordFailing',
      'if (endpoint) await unlessChanged(table.write(endpoints.recordFailing',
    ],
    [
      'what is taken does not end the failing',
      'if (endpoint.failingSince) await unlessChanged(table.write(endpoints.recordTaking(endpoint)));',
      '',
    ],
    ['nobody is told of a failing endpoint', "    report(endpoint, 'endpoint_failing');\n", ''],
    ['the mail about an endpoint waits for the sweeper', '    await announce(notice);\n', ''],
  ]),
  ...planted(`${room}/webhook-endpoint-repository.ts`, failing, [
    [
      'what its seller changes does not keep an endpoint enabled',
      "ConditionExpression: '#enabled = :yes AND revision = :revision'",
      "ConditionExpression: '#enabled = :yes AND :revision = :revision'",
    ],
    [
      'an endpoint that was deleted comes back',
      "'attribute_exists(pk) AND attribute_not_exists(failingSince)'",
      "'attribute_not_exists(failingSince)'",
    ],
    ['an endpoint that is enabled again is failing still', ' REMOVE failingSince ADD revision', ' ADD revision'],
  ]),
  ...planted('functions/mail-sender/send-endpoint-notice.ts', failing, [
    [
      'an endpoint that is enabled again is mailed about',
      "seller?.contactEmail && endpoint?.disabledReason === 'failing'",
      'seller?.contactEmail && endpoint',
    ],
    ['the mail shows the whole URL', 'new URL(url).host,', 'url,'],
    ['the mail goes to the support address', 'to: seller.contactEmail', "to: seller.supportEmail ?? ''"],
  ]),
  ...planted('functions/event-sender/deliver-events.ts', runs, [
    ['a run begins to send until its lease is over', 'const budgetSeconds = 42;', 'const budgetSeconds = 60;'],
    ['no run looks at the clock', 'if (isOver())', 'if (isOver() && due.length > 100)'],
    ['late is a minute', 'const lateAfterSeconds = 15 * 60;', 'const lateAfterSeconds = 60;'],
    ['a run that leaves off makes its endpoint late', 'leftAt: now().toISOString()', 'leftAt: undefined'],
    ['each message brings another', 'const isAnnounced = pace.messageFor === until && delay > closeSeconds;', 'const isAnnounced = false;'],
    ['messages are sent for times that the queue cannot wait for', 'delay <= longestMessageDelay', 'delay <= 10 * longestMessageDelay'],
    ['no message is sent for the next attempt', 'if (announces) await sender.sendJob', 'if (!announces) await sender.sendJob'],
  ]),
  ...planted('functions/event-sender/deliver-events.ts', failing, [
    ['a disabled endpoint is sent events', 'if (!endpoint?.enabled) return { pace };', 'if (!endpoint) return { pace };'],
  ]),
  ...planted('functions/event-sender/deliver-events.ts', crashes, [
    ['a job that was woken is left', 'held = renewed && { ...renewed, task: job.task };', 'held = undefined;'],
  ]),
  ...planted('shared/jobs/job-repository.ts', crashes, [
    ['a woken job is taken from its worker', 'REMOVE listPk, listSk`', 'REMOVE listPk, listSk, leasedUntil`'],
    ['whoever lost the lease renews it', "'leasedUntil = :held'", "'attribute_exists(pk) AND :held = :held'"],
    ['a sleeping job forgets how it went', 'now(), { delaySeconds }), payload };', 'now(), { delaySeconds }) };'],
    ['a woken job is put to sleep', 'return { put: { Item: asleep, ...heldLease(job) }', 'return { put: { Item: asleep }'],
  ]),
];

const replaying: readonly Mutant[] = [
  ...planted(`${room}/replayer.ts`, replays, [
    ['a replay sends what happens after it was asked for', 'at < replay.askedAt', "at < '9999'"],
    ['a replay sends what happened before its time', 'event.at >= since &&', ''],
    ['a replay sends what is gone', '&& keptUntil(event) > now().getTime()', ''],
    ['a replay sends types that are not wanted', ' && wantsEvent(endpoint, event)', ''],
    ['a replay looks at one page alone', 'if (!last) return false;', 'if (!last || !event) return false;'],
    ['single events are forgotten', 'if (single !== undefined) await restartOne(endpoint, single);\n        else if', 'if'],
    ['what was read ahead is sent again', 'following.slice(skipped + 1)', 'following'],
  ]),
  ...planted(`${room}/replay.ts`, rules, [
    [
      'a range that is asked for again goes on where it was',
      'position: earlierOf(fresh.position, started.position)',
      'position: started.position',
    ],
    ['of several times the last counts', '.toSorted()[0]', '.toSorted().at(-1)'],
    ['a later time takes the place of an earlier one', 'since: earlierOf(fresh.since, started.since)', 'since: fresh.since'],
  ]),
  ...planted('shared/ids.ts', rules, [
    ['events of the moment at which a replay begins are left out', 'Math.max(0, at.getTime() - 1)', 'Math.max(0, at.getTime())'],
  ]),
  ...planted(`${room}/delivery-service.ts`, replays, [
    ['a replay survives the disabling of its endpoint', '      deliveries.cancelReplay(endpoint.id),\n', ''],
  ]),
];

export const eventSending: readonly Mutant[] = [...whereTo, ...messages, ...schedule, ...sending, ...replaying];
