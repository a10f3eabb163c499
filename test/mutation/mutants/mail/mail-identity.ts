import type { Mutant } from '../../mutant.ts';

const texts = ['test/unit/mail/purchase-mail.test.ts'];
const addresses = ['test/unit/mail/mailbox.test.ts'];
const sent = ['test/endpoints/purchases/mail-manners.test.ts'];
const asked = ['test/integration/payments/provider-requests.test.ts'];
const opened = ['test/endpoints/purchases/checkout-refusals.test.ts'];

const planted = (file: string, tests: readonly string[], mistakes: readonly (readonly [fault: string, code: string, mutant: string])[]) =>
  mistakes.map(([fault, code, mutant]): Mutant => ({ fault, file, code, mutant, tests }));

/** Who mails and payment pages say stands behind them, and what mails prove. */
export const mailIdentity: readonly Mutant[] = [
  ...planted('shared/mail/mail-page.ts', texts, [
    ['mails do not say who stands behind them', '[...blocks, footerOf(frame)]', '[...blocks]'],
    ['the text of a mail lacks what its HTML says', 'all.map((block) => textOf(block))', 'blocks.map((block) => textOf(block))'],
    ['the HTML of a mail lacks what its text says', 'html: pageOf(locale, title, all)', 'html: pageOf(locale, title, blocks)'],
    ['a subject has lines', 'const title = oneLine(subject);', 'const title = subject;'],
    ['an answer to a mail of one seller goes to the operator', 'seller ? seller.supportEmail : operator.contact', 'operator.contact'],
    ['an answer to a mail of several sellers goes nowhere', 'seller ? seller.supportEmail : operator.contact', 'seller?.supportEmail'],
    ['an answer goes to what is no address', 'address !== undefined && isMailAddress(address)', 'address !== undefined'],
    ['the operator has no address in mails', '    [say.address, operator.address],\n', ''],
    ['contact and address of the operator change places', '[say.contact, operator.contact]', '[say.contact, operator.address]'],
    ['the terms are those of privacy', "[say.terms, operator.termsUrl, 'page']", "[say.terms, operator.privacyUrl, 'page']"],
    ['nobody can open the terms from a mail', "[say.terms, operator.termsUrl, 'page']", '[say.terms, operator.termsUrl]'],
    ['the sender is the service alone', 'shortLine(seller?.name ??', 'shortLine(undefined ??'],
    ['the name of the sender leaves out the service', 'shortLine(serviceName, longestNames.service)]', "'']"],
    ['a name that shows nothing leaves a gap', ".filter((name) => name !== '')", ''],
    ['long names of sellers are cut early', 'seller: 60', 'seller: 59'],
    ['long names of sellers are kept', 'seller: 60', 'seller: 200'],
    ['long names of services are cut early', 'service: 40', 'service: 39'],
    ['a text of a mail has lines', "if ('text' in block) return oneLine(block.text);", "if ('text' in block) return block.text;"],
    ['a fact of a mail has lines', 'oneLine(value)}`)', 'value}`)'],
    ['a title in a mail has lines', 'oneLine(block.title)}\\n', 'block.title}\\n'],
    [
      'the text of a mail does not say where its link leads',
      "if ('url' in block) return `",
      "if ('url' in block) return oneLine(block.button) || `",
    ],
    ['where buttons do not work nobody sees where they lead', 'oneLine(url)}</p>', "''}</p>"],
  ]),
  ...planted('shared/text/one-line.ts', texts, [
    ['marks of direction turn names around', ".replace(/\\p{Bidi_Control}/gu, '')", ".replace(/[\\u202a-\\u202e]/gu, '')"],
    ['control characters stay in names', '\\p{Cc}', '\\n'],
    ['line separators stay in names', '\\p{Zl}', ''],
    ['names are cut within a character', '[...oneLine(text)]', "oneLine(text).split('')"],
    ['a name of just the longest length is cut', 'characters.length <= most', 'characters.length < most'],
    ['what is cut is one too long', 'most - 1', 'most'],
  ]),
  ...planted('shared/mail/mailbox.ts', addresses, [
    ['quotation marks end the display name', '/["\\\\]/g', '/[\\\\]/g'],
    ['a backslash hides what follows in a display name', '/["\\\\]/g', '/["]/g'],
    ['a display name that looks encoded shows another', " && !displayName.includes('=?')", ''],
    ['control characters go into a header', '/^[ -~]*$/', '/^[\\x00-~]*$/'],
    ['encoded words are too long', 'wordBytes = 45', 'wordBytes = 60'],
    ['characters are torn between encoded words', 'const character of text', "const character of text.split('')"],
    ['bytes are counted as characters', 'Buffer.byteLength(longer) <= wordBytes', 'longer.length <= wordBytes'],
    ['encoded words are not parted', ".join(' ');", ".join('');"],
    ['two addresses are taken for one', "/^[\\w.!#$%&'*+/=?^`{|}~-]{1,64}@", '/^.{1,64}@'],
    ['an address without a domain is taken', '(\\.[a-z\\d-]+)+$/i', '(\\.[a-z\\d-]+)*$/i'],
    ['an address that is too long is taken', 'text.length <= 254 && ', ''],
  ]),
  ...planted('shared/mail/mail-client.ts', sent, [
    ['mails are answered by machines', "      { Name: 'Auto-Submitted', Value: 'auto-generated' },\n", ''],
    ['mails claim to be of a person', "'auto-generated'", "'no'"],
    ['two tries of a mail cannot be told to be one', "      { Name: 'X-Entity-Ref-ID', Value: reference },\n", ''],
    ['answers go to the service', '      ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),\n', ''],
    ['mails are sent without a name', 'FromEmailAddress: mailboxOf(senderName, from)', 'FromEmailAddress: from'],
    ['mails are sent from the address of the seller', 'mailboxOf(senderName, from)', 'mailboxOf(senderName, replyTo ?? from)'],
    ['names go into the header as they are', 'mailboxOf(senderName, from)', "senderName + ' <' + from + '>'"],
  ]),
  ...planted('shared/mail/purchase-mail.ts', texts, [
    ['what was free is said to be bought', 'say.subject(productName, isFree)', 'say.subject(productName, false)'],
    ['thanks are for buying what was free', 'say.greeting(productName, isFree)', 'say.greeting(productName, false)'],
    ['a purchase cannot be proved by its order', '    [say.order, orderId],\n', ''],
    ['a free order has a day of payment', 'isFree ? say.orderedOn : say.paidOn', 'say.paidOn'],
    ['a free order has a price of nothing', 'isFree ? say.free : ', ''],
    [
      'a mail does not say that tax is included',
      'say.taxIncluded(formatMoney(amount, currency, locale))',
      'formatMoney(amount, currency, locale)',
    ],
    ['amounts are written as for the English', 'formatMoney(amount, currency, locale)', "formatMoney(amount, currency, 'en')"],
    ['the seller has no website in mails', '[[say.site, siteUrl', '[[say.site, seller.name'],
    ['mails name an empty support address', "seller.supportEmail === '' ? [] : ", ''],
  ]),
  ...planted('shared/mail/purchase-links-mail.ts', texts, [
    ['a mail of several sellers is sent in the name of one', ' ? first : undefined', ' ? first : first'],
    ['one name is taken for one seller', ' && supportEmail === first.supportEmail', ''],
    [
      'one address is taken for one seller',
      'name === first?.name && supportEmail === first.supportEmail',
      'supportEmail === first?.supportEmail',
    ],
    ['fresh links do not say of what order', '{ facts: purchaseFacts(purchase, frame.locale) }, ', ''],
  ]),
  ...planted('functions/mail-sender/mailed-purchase.ts', sent, [
    ['the day of a purchase is that of its checkout', 'checkout.paidAt ?? createdAt', 'createdAt ?? checkout.paidAt'],
    ['mails name the product in place of the seller', 'name: terms.sellerDisplayName', 'name: terms.productName'],
    ['the seller’s site is left out', '    siteUrl: terms.siteUrl,\n', ''],
    ['every amount is in yen', '    currency,\n', "    currency: 'JPY',\n"],
  ]),
  ...planted('functions/mail-sender/send-mail.ts', sent, [
    ['all mails of an order are one', 'reference: `$', 'reference: order.id || `$'],
    ['the mails of all orders are one', '{order.id}/', '{0}/'],
  ]),
  ...planted('functions/mail-sender/send-links.ts', sent, [
    ['fresh links are told apart by their order alone', 'reference: mailId', 'reference: order.id'],
  ]),
  ...planted(
    'functions/mail-sender/compose.ts',
    ['test/endpoints/wiring/worker-settings.test.ts'],
    [['mails are of no operator', 'operator: operatorOf(settings)', 'operator: {}']],
  ),
  ...planted('shared/payments/checkout-branding.ts', asked, [
    ['the payment page is headed by the platform', "displayName === '' ? {} : ", "displayName !== '' ? {} : "],
    ['a blank name heads the payment page', "displayName === '' ? {} : ", ''],
    ['a statement is too long', 'suffixLength = 10', 'suffixLength = 11'],
    ['accents take letters from a statement', ".normalize('NFKD')", ".normalize('NFC')"],
    ['a statement has characters that banks refuse', '/[^A-Za-z0-9.&-]+/g', '/[^ -~]+/g'],
    ['a statement names figures alone', '/[A-Za-z]/.test(suffix)', '/[A-Za-z0-9]/.test(suffix)'],
    ['a statement ends with a space', '.slice(0, suffixLength)\n    .trim();', '.slice(0, suffixLength);'],
  ]),
  ...planted('shared/payments/checkout-sessions.ts', asked, [
    ['the payment page does not say whose it is', '    ...brandingOf(request.sellerName),\n', ''],
    ['the payment page is headed by the product', 'brandingOf(request.sellerName)', 'brandingOf(request.productName)'],
    ['the statement does not name the seller', '      statement_descriptor_suffix: statementSuffixOf(request.sellerName),\n', ''],
    ['the statement names the product', 'statementSuffixOf(request.sellerName)', 'statementSuffixOf(request.productName)'],
    [
      'the payment page does not describe the product',
      'const description = request.productSummary || undefined;',
      'const description = undefined;',
    ],
    ['an empty description stops the checkout', 'request.productSummary || undefined', 'request.productSummary'],
  ]),
  ...planted('shared/orders/checkout-service.ts', opened, [
    ['the payment page shows no description', "productSummary: order.terms.productSummary ?? ''", "productSummary: ''"],
    ['the payment page shows the whole description', 'longestSummary = 300', 'longestSummary = 20_000'],
    ['who leaves a free checkout reads of charges', "...(amount === 0 && { free: '' })", "...(amount < 0 && { free: '' })"],
    ['who leaves a paid checkout does not read that nothing was charged', "...(amount === 0 && { free: '' })", "free: ''"],
  ]),
];
