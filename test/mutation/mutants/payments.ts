import type { Mutant } from '../mutant.ts';

const attempts = ['test/endpoints/purchases/checkout-attempts.test.ts'];
const refusals = ['test/endpoints/purchases/checkout-refusals.test.ts'];
const webhooks = ['test/endpoints/payment-webhooks.test.ts'];
const reports = ['test/integration/payments/provider-reports.test.ts'];
const onboarding = ['test/unit/onboarding-status.test.ts'];
const money = ['test/unit/currencies.test.ts', 'test/unit/locale.test.ts'];
const client = ['test/integration/payments/stripe-client.test.ts'];
const settings = ['test/unit/config.test.ts'];

type Planted = [fault: string, code: string, mutant: string, survives?: string];

const planted = (file: string, tests: readonly string[], list: readonly Planted[]): Mutant[] =>
  list.map(([fault, code, mutant, survives]) => ({ fault, file, code, mutant, tests, ...(survives !== undefined && { survives }) }));

const checkout = planted('shared/orders/checkout-service.ts', attempts, [
  ['a key gives the address of an order that is no longer pending', "if (known && order?.status === 'pending') {", 'if (known && order) {'],
  [
    'a declined order is given again',
    "order?.status === 'pending') {",
    "(order?.status === 'pending' || order?.status === 'payment_failed')) {",
  ],
  [
    'another body under the same key is taken',
    'if (known && known.bodyHash !== request.bodyHash)',
    'if (known && known.bodyHash === request.requestHash)',
  ],
  ['the language of a repeat is not compared', 'JSON.stringify([buyerEmail, locale])', 'JSON.stringify([buyerEmail])'],
  ['an idempotency key holds for good', 'const known = latest && isInForce(latest) ? latest : undefined;', 'const known = latest;'],
  ['an idempotency key holds for an hour', 'const requestKeptMs = 24 * 3600_000;', 'const requestKeptMs = 3600_000;'],
  ['an idempotency key holds at the instant it ends', 'requestKeptMs > now().getTime()', 'requestKeptMs >= now().getTime()'],
  ['a key of one product is that of another', '{slug}\\n', "{'any'}\\n"],
  ['an ended session is looked up and given', 'if (order.expiresAt <= now().toISOString()) return undefined;', ''],
  ['every repeat begins another attempt', 'order.attemptUntil !== undefined && order.attemptUntil > now().toISOString()', 'false'],
  ['an attempt is joined for ever', 'order.attemptUntil > now().toISOString()', "order.attemptUntil !== ''"],
  ['an attempt is under way for as long as its session lives', 'const attemptMs = 18_000;', 'const attemptMs = 1_800_000;'],
  ['an attempt is over while its call may still run', 'const attemptMs = 18_000;', 'const attemptMs = 500;'],
  ['a new attempt has the number of the last one', '(order.checkoutAttempt ?? 0) + 1', '(order.checkoutAttempt ?? 1)'],
  [
    'a new attempt keeps the old expiry',
    'const next = { ...order, ...attemptFrom(now(), ',
    'const next = { ...order, expiresAt: order.expiresAt, ...attemptFrom(new Date(order.createdAt), ',
  ],
  ['an attempt begins without a record', 'await table.transact(orders.beginCheckoutAttempt(order, next));', ''],
  ['a failed attempt is not ended', 'return begunHere ? [orders.endCheckoutAttempt(order)] : [];', 'return begunHere ? [] : [];'],
  ['a session lives for an hour', 'const sessionMs = 30 * 60_000;', 'const sessionMs = 60 * 60_000;'],
  ['there is no time for the way to the provider', 'const transitMs = 20_000;', 'const transitMs = 0;'],
  ['an unpaid order is deleted with its session', 'unpaidKeptMs) / 1000)', '0) / 1000)'],
  ['the redirect token ends with the session', 'expiresAt.getTime() + tokenLifetimes.redirectAfterSession', 'expiresAt.getTime()'],
  ['a session is not given to its order', 'await table.write(orders.bindCheckoutSession(order, session.id));', ''],
]);

const checkoutRefused = planted('shared/orders/checkout-service.ts', refusals, [
  ['a refused order is kept', '[...orders.deleteOrder(order), ...(request', '[...(request'],
  ['a refused key is not free again', '...(request ? [orders.releaseCheckoutRequest(request)] : [])', ''],
  ['an outage deletes the order', "error.code !== 'dependency_unavailable'", 'true'],
  [
    'a refusal of the provider is an internal error',
    '      throw hideRefusal(error);\n    });\n    await table',
    '      throw error;\n    });\n    await table',
  ],
  ['our fee is the whole amount', '(priceAmount * dependencies.feeBasisPoints) / (10_000 * step)', 'priceAmount / step'],
  ['our fee is rounded up', 'return Math.floor((priceAmount', 'return Math.ceil((priceAmount'],
  ['our fee has digits that cannot be charged', 'const step = stepOf(currency);', 'const step = 1;'],
  ['the address of the buyer is not sent', '      buyerEmail,\n      locale: order.locale,', '      locale: order.locale,'],
  [
    'a cancelled checkout leads back in another language',
    "const language = locale !== 'auto' && { lang: locale };",
    'const language = {};',
  ],
]);

const repository = planted('shared/orders/order-repository.ts', attempts, [
  ['an overtaken attempt gives its session to the order', '`checkoutAttempt = :attempt AND #status', '`:attempt <> :one AND #status'],
  ['a paid order gets a session', '#status = :pending AND ', '#status <> :session AND attribute_exists(pk) AND :pending <> :session AND '],
  [
    'an order changes its session',
    '(attribute_not_exists(checkoutSessionId) OR checkoutSessionId = :session)',
    'checkoutSessionId <> :one',
    'an order is only ever asked for the session of its present attempt, which has one',
  ],
  [
    'the end of an attempt ends the next one',
    "ConditionExpression: 'checkoutAttempt = :attempt',\n          ExpressionAttributeValues: { ':attempt': checkoutAttempt, ':one': 1 }",
    "ExpressionAttributeValues: { ':one': 1 }",
  ],
  [
    'the entry in the seller’s list expires before the order',
    '      pointer(orderOfSellerKey(next.sellerId, next.id), next),\n    ],',
    '    ],',
  ],
]);

const keyOfAnother = planted('shared/orders/order-repository.ts', refusals, [
  [
    'a refusal frees the key of another order',
    "ConditionExpression: 'orderId = :order',\n          ExpressionAttributeValues: { ':order': orderId },",
    '',
  ],
]);

const sent = planted('shared/payments/checkout-sessions.ts', refusals, [
  ['our fee is not asked for', '{ application_fee_amount: request.applicationFeeAmount } : {}', '{} : {}'],
  ['a fee of zero is sent', 'request.applicationFeeAmount > 0 ?', 'request.applicationFeeAmount >= 0 ?'],
  ['the money stays with us', '      transfer_data: { destination: request.destinationAccountId },\n', ''],
  [
    'the payment does not name its order',
    'statementSuffixOf(request.sellerName),\n      metadata,',
    'statementSuffixOf(request.sellerName),',
  ],
  ['the session does not name its order', '    metadata,\n    // A free', '    // A free'],
  ['the metadata does not name the stage', 'seller_id: sellerId, stage };', 'seller_id: sellerId };'],
  ['the seller is named as the product', 'product_id: productId, seller_id: sellerId', 'product_id: sellerId, seller_id: sellerId'],
  ['prices are converted to the buyer’s currency', 'adaptive_pricing: { enabled: false }', 'adaptive_pricing: { enabled: true }'],
  ['ways to pay that take days are offered', "    allowed_payment_method_types: ['card'],\n", ''],
  ['a session has no reference to its order', '    client_reference_id: orderId,\n', ''],
  ['a free session has data of a payment', '...(amount > 0 && payment)', '...payment'],
  ['a session of one yen is free', '...(amount > 0 && payment)', '...(amount > 10 && payment)'],
  ['the currency is sent as the seller spells it', 'request.currency.toLowerCase()', 'request.currency'],
  ['the address after paying is that after cancelling', 'success_url: request.successUrl', 'success_url: request.cancelUrl'],
  ['sessions live for a day', '    expires_at: Math.floor(request.expiresAt.getTime() / 1000),\n', ''],
  ['the language is not sent', '    locale: request.locale,\n', ''],
]);

const sessions = planted('shared/payments/checkout-sessions.ts', attempts, [
  ['every attempt has the same key at the provider', 'request.attempt}`', 'request.orderId}`'],
  ['two orders have the same key at the provider', '{request.orderId}:', '{request.productId}:'],
  [
    'a session is opened without a key',
    'stripe.checkout.sessions.create(paramsOf(request), { idempotencyKey })',
    'stripe.checkout.sessions.create(paramsOf(request), {})',
  ],
  [
    'the address of a paid session is given',
    "return status === 'open' ? (url ?? undefined) : undefined;",
    'return url ?? (status && undefined);',
  ],
  [
    'a session that is gone is an outage',
    '        if (isMissing(error)) return undefined;\n        throw error;\n      }\n    },\n\n    /** @throws',
    '        throw error;\n      }\n    },\n\n    /** @throws',
  ],
]);

const told = planted('shared/payments/checkout-refusals.ts', refusals, [
  ['a refused address is an outage', '    param: /^customer_email$/,\n', '    param: /^email$/,\n'],
  ['only a named address is refused', '    code: /^email_invalid$/,\n', '    code: /^email_missing$/,\n'],
  ['a currency that is refused is an outage', '    code: /amount|currency|', '    code: /amount|'],
  ['an amount that is refused is an outage', '    code: /amount|currency|', '    code: /currency|'],
  ['an account that is closed is an outage', '^account_|', ''],
  ['an account without transfers is an outage', '^(transfers|application_fees)_not_allowed$', '^(application_fees)_not_allowed$'],
  ['an account that is gone is an outage', '    param: /destination|transfer_data/,\n', '    param: /on_behalf_of/,\n'],
  ['a way to pay that is refused is an outage', '^payment_method_|', ''],
  [
    'every refusal is one of the price',
    'refusal.param.test(param) || refusal.code.test(code)',
    'refusal.param.test(param) || refusal.code.test(code) || /price/.test(String(refusal.refuse().code))',
  ],
  ['the parameter at fault is not looked at', 'refusal.param.test(param) || refusal.code.test(code)', 'refusal.code.test(code)'],
]);

const accounts = planted('shared/payments/onboarding-status.ts', onboarding, [
  ['a rejected card brand closes the checkout', 'statusesIn(recipient).includes', 'statusesIn(account.configuration).includes'],
  ['only rejected transfers are seen', "statusesIn(recipient).includes('rejected')", "transfers?.status === 'rejected'"],
  ['a closed account is not rejected', 'account.closed === true || ', ''],
  ['a pending capability is active', "transfers?.status === 'active'", "transfers?.status !== 'restricted'"],
  [
    'the merchant’s payouts count',
    "payoutsActive: payouts?.status === 'active'",
    "payoutsActive: account.configuration?.merchant?.capabilities?.stripe_balance?.payouts?.status === 'active'",
  ],
  ['what waits for the provider is shown as due', ".filter((entry) => entry.awaiting_action_from === 'user')", ''],
  ['what is due some day is due now', '/^(currently|past)_due$/', '/_due$/'],
  ['an unsupported account can be mended by its user', "    capability.status === 'unsupported' ||\n", ''],
  [
    'an account to be cleared with the provider can be mended by its user',
    "code === 'restricted_other' || resolution === 'contact_stripe'",
    "code === 'restricted_other'",
  ],
  ['payouts come before a rejection', "  { status: 'rejected', holds: (account) => account.rejected },\n", ''],
  [
    'a restriction comes before active transfers',
    'holds: (account) => account.transfersActive },',
    'holds: (account, { enabledBefore }) => account.transfersActive && !enabledBefore },',
  ],
  ['payouts alone enable', 'account.transfersActive && account.payoutsActive', 'account.payoutsActive'],
  ['what is due is shown before the user came back', 'linkReturned && account.dueFromUser', 'account.dueFromUser'],
  ['a returned link is enough to owe something', 'linkReturned && account.dueFromUser', 'linkReturned'],
  [
    'details that are null break the retrieval',
    'z.catch(z.nullish(z.array(',
    'z.catch(z.optional(z.array(',
    'what is caught is read as none, which null means too',
  ],
]);

const signatures = planted('shared/payments/webhook-signature.ts', webhooks, [
  [
    'old webhooks are taken',
    'Math.abs(Number(time) - now.getTime() / 1000) <= toleranceSeconds',
    'Number(time) - now.getTime() / 1000 <= toleranceSeconds',
  ],
  [
    'webhooks of the future are taken',
    'Math.abs(Number(time) - now.getTime() / 1000) <= toleranceSeconds',
    'now.getTime() / 1000 - Number(time) <= toleranceSeconds',
  ],
  ['webhooks are refused after a minute', 'const toleranceSeconds = 300;', 'const toleranceSeconds = 60;'],
  ['webhooks are taken for ten minutes', 'const toleranceSeconds = 300;', 'const toleranceSeconds = 600;'],
  ['the second of several times is not looked at', '!isTimely || furtherTimes.length > 0', '!isTimely'],
  ['the time is not signed', '{time}.', "{'1'}."],
  ['the body is not signed', ').update(body).digest()', ').digest()'],
  ['only the first v1 is compared', 'signatures.some((signature)', 'signatures.slice(0, 1).some((signature)'],
  ['only the first secret counts', 'return secrets.some((secret)', 'return secrets.slice(0, 1).some((secret)'],
  ['six v1 are compared', 'const maxSignatures = 5;', 'const maxSignatures = 6;'],
  ['four v1 are compared', 'const maxSignatures = 5;', 'const maxSignatures = 4;'],
  ['any length of header is read', '  if (header.length > maxHeaderLength) return false;\n', ''],
  ['a header of the longest length is refused', 'header.length > maxHeaderLength', 'header.length >= maxHeaderLength'],
  ['two different headers are taken', 'given.length > 1 || ', ''],
  ['a signature without a value ends in an error', '.filter((value) => /^[0-9a-f]{64}$/.test(value))', ''],
  [
    'the comparison takes as long as the values agree',
    "timingSafeEqual(Buffer.from(signature, 'hex'), expected)",
    "Buffer.from(signature, 'hex').equals(expected)",
    'it decides the same; only its time differs',
  ],
]);

const events = planted('shared/payments/parse-event.ts', reports, [
  [
    'a refund that failed by an update is not seen',
    "refund.status === 'failed' || refund.status === 'canceled'",
    "refund.status === 'canceled'",
  ],
  ['a refund that was canceled is not seen', "refund.status === 'failed' || refund.status === 'canceled'", "refund.status === 'failed'"],
  [
    'every update of a refund asks the provider',
    "refund.status === 'failed' || refund.status === 'canceled'",
    'refund.status !== undefined || refund.status === undefined',
  ],
  [
    'the context of an event is dropped',
    'returned: event.type === linkReturned, context: event.context }',
    'returned: event.type === linkReturned }',
  ],
  ['any text is a context', 'context: ifValid(ProviderContext)', 'context: ifValid(z.string())'],
  ['a return from onboarding is an event like any other', 'returned: event.type === linkReturned,', 'returned: false,'],
]);

const eventsReceived = planted('shared/payments/parse-event.ts', webhooks, [
  ['live mode counts', 'if ((event.livemode ?? false) !== false) return ignored;', ''],
  ['an event of a connected account counts', '|| event.account) return ignored;', ') return ignored;'],
  ['snapshot events count on either endpoint', "endpoint !== 'platform' || ", ''],
]);

const retrievals = [
  ...planted('shared/payments/connected-accounts.ts', reports, [
    [
      'accounts are retrieved outside their context',
      'retrieve(accountId, { include }, inContext(context))',
      'retrieve(accountId, { include })',
    ],
    ['events are retrieved outside their context', 'retrieve(eventId, {}, inContext(context))', 'retrieve(eventId)'],
  ]),
  ...planted('shared/sellers/seller-onboarding.ts', reports, [
    [
      'the context does not reach the account',
      'refreshConnectedAccount(accountId, { returned, context })',
      'refreshConnectedAccount(accountId, { returned })',
    ],
    ['the context does not reach the event', 'accounts.findAccountOfEvent(id, context)', 'accounts.findAccountOfEvent(id)'],
    [
      'accounts of nobody here are retrieved',
      '    if (!seller) return undefined;\n    if (returned)',
      "    if (!seller) return retrieve('provider', 'sel_0' as never, accountId);\n    if (returned)",
    ],
    ['a return from onboarding is not recorded', 'if (returned) await changePayment', 'if (!returned) await changePayment'],
  ]),
  ...planted('functions/event-projector/project-event.ts', reports, [
    ['an account that the provider does not show yet is given up', '.catch(retryIfMissing)', '.catch(() => undefined)'],
    [
      'an account that the provider does not show has no reason of its own',
      "isMissing(error) ? new FailedJobError('account_unknown') : error",
      'error',
    ],
    [
      'the end of an abandoned session kills its job',
      "payload.outcome === 'expired' && isAbandonedSession",
      "payload.outcome === 'paid' && isAbandonedSession",
    ],
    [
      'the end of any session is ignored',
      'order.checkoutSessionId !== undefined && order.checkoutSessionId !== sessionId;',
      "sessionId !== '';",
    ],
    ['a failed refund lowers nothing', 'refundRetrieval: { at, amount: refundedAmount }', 'refundedAmount'],
  ]),
  ...planted('shared/payments/provider-ids.ts', reports, [
    ['charges that are called payments are not read', '|py|', '|'],
    ['disputes of the newer name are not read', '|dp|', '|'],
    ['refunds of payments are not read', '|pyr|', '|', 'the id of a refund is not used'],
    ['an id may hold the way out of a path', '[A-Za-z0-9_]{1,250}$/', '[A-Za-z0-9_./]{1,250}$/'],
    ['a context may end in a slash', '{1,250}){0,3}$/', '{0,250}){0,3}$/'],
  ]),
];

const currencies = planted('shared/currencies.ts', money, [
  ['a currency is known in capitals alone', 'byCode.get(code.toUpperCase())', 'byCode.get(code)'],
  ['every currency has two digits', 'findCurrency(code)?.minorDigits ?? 2', '2'],
  ['a currency that is not known has no digits', 'findCurrency(code)?.minorDigits ?? 2', 'findCurrency(code)?.minorDigits ?? 0'],
  ['the third digit can be charged', '{ minorDigits: 3, step: 10 }', '{ minorDigits: 3, step: 1 }'],
  ['krónur have hundredths', '{ minorDigits: 2, step: 100 }', '{ minorDigits: 2, step: 1 }'],
  ['krónur are counted whole', '{ minorDigits: 2, step: 100 }', '{ minorDigits: 0, step: 1 }'],
  ['wons have two digits', "'BIF CLP DJF GNF JPY KMF KRW ", "'BIF CLP DJF GNF JPY KMF "],
  ['rupiahs are counted whole', ' HUF IDR ILS', ' HUF ILS'],
]);

const shown = [
  ...planted('shared/text/money.ts', money, [
    ['amounts are shown with the digits of Intl', '    minimumFractionDigits: digits,\n', ''],
    ['amounts are a hundredth of what is charged', 'format.format(amount / 10 ** digits)', 'format.format(amount / 100)'],
  ]),
  ...planted('functions/pages/views/product-view.ts', money, [
    [
      'search engines are told another price',
      '(product.priceAmount / 10 ** digits).toFixed(digits)',
      '(product.priceAmount / 100).toFixed(2)',
    ],
  ]),
  ...planted(
    'shared/products/product.ts',
    ['test/endpoints/product-prices.test.ts'],
    [
      ['prices are taken that cannot be charged', 'if (value.priceAmount % step === 0) return;', 'if (step > 0) return;'],
      ['the currency is named for a price', "path: ['priceAmount'], message", "path: ['currency'], message"],
    ],
  ),
  ...planted('shared/config.ts', settings, [
    ['prices may be in a currency that is not charged', 'findCurrency(code) !== undefined', '/^[a-z]{3}$/i.test(code)'],
    ['a short webhook secret is taken', '/^whsec_[\\w\\-+/=]{12,}$/', '/^whsec_[\\w\\-+/=]{1,}$/'],
    ['a secret of another kind is taken', '/^whsec_[\\w\\-+/=]{12,}$/', '/[\\w\\-+/=]{12,}$/'],
    ['the connect secret is not looked at', 'PAYMENT_CONNECT_WEBHOOK_SECRET: webhookSecrets', 'PAYMENT_CONNECT_WEBHOOK_SECRET: filledList'],
    [
      'the platform secret is not looked at',
      'PAYMENT_WEBHOOK_SECRET: webhookSecrets,\n  PAYMENT_CONNECT',
      'PAYMENT_WEBHOOK_SECRET: filledList,\n  PAYMENT_CONNECT',
    ],
  ]),
];

const calls = planted('shared/payments/stripe-client.ts', client, [
  ['a failed call is not repeated', 'const retries = 1;', 'const retries = 0;'],
  ['a failed call is repeated for half a minute', 'const retries = 1;', 'const retries = 3;'],
  ['an attempt may take 80 s', '    timeout: timeoutMs,\n', ''],
  ['a reply that does not end is waited for', 'await Promise.race([request(stripe), deadline])', 'await request(stripe)'],
  [
    'the deadline comes before the second attempt',
    'const deadlineMs = retries * (timeoutMs + 1000) + timeoutMs;',
    'const deadlineMs = timeoutMs;',
  ],
  ['an overloaded provider refuses for good', 'status === 429 || ', ''],
  ['a key in use refuses for good', 'status === 409 || ', ''],
  ['an outage refuses for good', 'status >= 500 || ', ''],
  ['overload in an answer of 400 refuses for good', ' || isOverload(code);', ';'],
  ['a refusal forgets the parameter at fault', 'requestId, param: error.param }', 'requestId }'],
  ['the provider is told of our latencies', '    telemetry: false,\n', ''],
]);

const missing = planted('shared/payments/stripe-client.ts', attempts, [
  ['a missing object is a refusal like any other', "error.code === 'resource_missing' || error.status === 404", 'error.status === 410'],
]);

export const payments: readonly Mutant[] = [
  ...checkout,
  ...checkoutRefused,
  ...repository,
  ...keyOfAnother,
  ...sent,
  ...sessions,
  ...told,
  ...accounts,
  ...signatures,
  ...events,
  ...eventsReceived,
  ...retrievals,
  ...currencies,
  ...shown,
  ...calls,
  ...missing,
  {
    fault: 'an idempotency key stands for a checkout whatever its address',
    file: 'shared/orders/checkout-service.ts',
    code: 'JSON.stringify([buyerEmail, locale])',
    mutant: 'JSON.stringify([locale])',
    tests: ['test/endpoints/purchases/checkout.test.ts'],
  },
  {
    fault: 'idempotency keys of checkouts are kept for ever',
    file: 'shared/orders/checkout-service.ts',
    code: 'Math.ceil((Date.parse(order.createdAt) + requestKeptMs) / 1000)',
    mutant: 'Math.ceil(Date.parse(order.createdAt) + requestKeptMs)',
    tests: ['test/endpoints/purchases/checkout.test.ts'],
  },
];
