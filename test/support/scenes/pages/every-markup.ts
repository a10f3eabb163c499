import { randomBytes } from 'node:crypto';
import { routes } from '../../../../functions/pages/routes.ts';
import { docsPage } from '../../../../infra/documents/site/page.ts';
import { mailListPage, mailPage } from '../../../../infra/local/pages/mail-pages.ts';
import { startPage } from '../../../../infra/local/pages/start-page.ts';
import type { ProductId } from '../../../../shared/ids.ts';
import { locales } from '../../../../shared/locale.ts';
import { renderNoticeMail } from '../../../../shared/mail/buyer-mails/notice-mail.ts';
import { renderPurchaseLinksMail } from '../../../../shared/mail/buyer-mails/purchase-links-mail.ts';
import { renderPurchaseMail } from '../../../../shared/mail/buyer-mails/purchase-mail.ts';
import { MailKind } from '../../../../shared/mail/outbox/mail.ts';
import { renderEndpointNoticeMail } from '../../../../shared/mail/seller-mails/endpoint-notice-mail.ts';
import { renderReviewNoticeMail } from '../../../../shared/mail/seller-mails/review-notice-mail.ts';
import { renderTokenNoticeMail } from '../../../../shared/mail/seller-mails/token-notice-mail.ts';
import { createReviewPreview } from '../../../../shared/products/previews/preview-service.ts';
import { listProducts } from '../../../../shared/products/product-repository.ts';
import { createCaller } from '../../http/http-event.ts';
import { sampleOffers } from '../../samples/sample-offers.ts';
import { sampleProduct } from '../../samples/sample-product.ts';
import { createPageHarness } from './page-harness.ts';

const operator = {
  serviceName: 'Minato',
  name: 'Minato Ltd.',
  contact: 'desk@minato.example',
  termsUrl: 'https://minato.example/?a=1&b=2',
};
const seller = { name: 'Harbour <Works>', supportEmail: 'support@harbour.example' };
const at = new Date('2026-01-14T20:30:00.000Z');

/** Every page and every mail by a name, in each language, as it is sent: before any script ran. */
export async function everyMarkup(): Promise<Map<string, string>> {
  return new Map([...(await buyersPages()), ...mails(), ...otherPages()]);
}

async function buyersPages(): Promise<[string, string][]> {
  const { handler, table } = await createPageHarness({ paymentApiBase: 'http://127.0.0.1:9' });
  const call = createCaller(handler, routes);
  const offers = [...sampleOffers.keys()].flatMap((slug) => [`/p/${slug}`, `/p/${slug}/releases?channel=dev`, `/p/${slug}/checkout`]);
  const fixed = ['/complete', '/receipt', '/manage', '/manage?sent', '/activate', '/checkout/cancelled', '/onboarding/return', '/none'];
  const c = { table, now: () => new Date(), randomBytes, settings: { PUBLIC_BASE_URL: '' } };
  const [product] = (await listProducts(table, { limit: 1 })).items;
  const { previewUrl } = await createReviewPreview(c, product?.id as ProductId, {});
  const typed = { 'content-type': 'application/x-www-form-urlencoded' };
  const pages: [string, string][] = [];
  for (const language of locales) {
    const headers = { accept: 'text/html', 'accept-language': language };
    for (const path of [...offers, ...fixed, previewUrl]) pages.push([`${language} ${path}`, (await call('GET', path, { headers })).text]);
    const refused = await call('POST', '/manage', { headers: { ...headers, ...typed }, body: 'buyer_email=x' });
    pages.push([`${language} POST /manage`, refused.text]);
  }
  return pages;
}

const mails = () =>
  locales.flatMap((locale): [string, string][] => {
    const frame = { locale, operator, linkHours: 24 };
    const purchase = {
      orderId: 'ord_01K5B3D8W6QZ0V7N4T2R9XHJEM',
      productName: 'Nuts & <Bolts>',
      seller,
      siteUrl: 'https://harbour.example/?a=1&b=2',
      amount: 4800,
      quantity: 3,
      unitAmount: 1600,
      currency: 'JPY',
      paidAt: at,
      timeZone: 'UTC',
      completionUrl: 'https://shop.example/complete#token=eyJhbGciOiJIUzI1NiJ9.eyJvcmRlciI6Im9yZF8xIn0.c2lnbmF0dXJl',
    };
    const review = { outcome: 'file.rejected', productName: 'A <product>', fileName: 'a&b.zip', reason: 'It is "empty".' } as const;
    const endpoint = { endpointId: 'whe_1', host: 'hooks.harbour.example', description: 'The <shop>', disabledAt: at };
    const times = { createdAt: at.toISOString(), expiresAt: at.toISOString() };
    const token = { tokenId: 'tok_1', name: 'A <build>', scopes: ['releases:read'], ...times, revokeUrl: 'https://shop.example/revoke' };
    const notices = MailKind.options.flatMap((kind) => {
      const notice = { ...purchase, kind, deviceLabel: 'PC', at, manageUrl: 'https://shop.example/manage' };
      return kind === 'completion' ? [] : [[`${locale} ${kind}`, renderNoticeMail({ ...frame, notice: { ...notice, kind } }).html]];
    }) as [string, string][];
    return [
      [`${locale} purchase`, renderPurchaseMail({ ...frame, purchase }).html],
      [`${locale} links`, renderPurchaseLinksMail({ ...frame, purchases: [purchase, purchase] }).html],
      [`${locale} review`, renderReviewNoticeMail({ ...frame, notice: review }).html],
      [`${locale} endpoint`, renderEndpointNoticeMail({ ...frame, notice: endpoint }).html],
      [`${locale} token`, renderTokenNoticeMail({ ...frame, notice: token }).html],
      ...notices,
    ];
  });

function otherPages(): [string, string][] {
  const assets = { guideScript: 'guide-1.js', script: 'reference-1.js', style: 'docs-1.css', viewerStyle: 'viewer-1.css' };
  const mail = {
    to: 'buyer@example.com',
    subject: 'A <mail>',
    text: 'See https://shop.example/',
    html: '<p lang="en">"A"</p>',
    sent_at: at.toISOString(),
  };
  const start = {
    products: [sampleProduct({ status: 'approved' })],
    mails: [mail],
    received: [],
    queues: [],
    paymentEndpoint: 'http://127.0.0.1:9',
    address: 'http://127.0.0.1:3000',
  };
  return [
    ...locales.map((locale): [string, string] => [`${locale} /docs`, docsPage(assets, locale).toString()]),
    ['start', startPage(start as never).toString()],
    ['outbox', mailListPage([mail] as never).toString()],
    ['one mail', mailPage(mail as never).toString()],
  ];
}
