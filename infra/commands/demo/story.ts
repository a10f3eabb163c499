import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import type { PurchaseCompletionPageResponse } from '../../../build/client.ts';
import { waitFor } from '../../local/examples/wait-for.ts';
import { buildApps, type DemoApps, openApps, shown } from './apps.ts';
import { base } from './base.ts';
import { markFileClean, uploadProductFile } from './files.ts';
import { buy } from './purchase.ts';
import { releaseFromCi, updateApps } from './releases.ts';
import { sellMore } from './selling-more.ts';
import { actAtProvider, admin, anyone, chapter, expectBody, quietAdmin, seller, story, summary, tracedFetch } from './stage.ts';
import { demoFile } from './upload.ts';

/** A receiver of the local stack, at its own address whatever name it was called by here. */
const receiverPath = `/__local/receiver/demo-${story}`;
const receiverUrl = `http://127.0.0.1:${new URL(base).port || 80}${receiverPath}`;

/** Returns the secret with which events are signed. */
async function becomeSeller(): Promise<string> {
  chapter('1. A seller applies, connects a payment account and names an endpoint for events');
  const application = {
    display_name: 'Demo Software',
    contact_email: 'seller@example.com',
    support_email: 'support@example.com',
    site_url: 'https://shop.example.com',
  };
  const { id } = await expectBody(seller.createSeller({ body: application }));
  const { url } = await expectBody(seller.createAccountLink());
  const me = await expectBody(seller.getOwnSeller());
  await actAtProvider(`${new URL(url).origin}/test/accounts/${me.payment_connected_account_id}/onboarding`, { outcome: 'complete' });
  const refreshed = await expectBody(seller.refreshPayment());
  summary.push(`seller ${id}: ${refreshed.payment_onboarding_status}`);
  await expectBody(admin.reviewSeller({ path: { seller_id: id }, body: { decision: 'approve' } }));
  const { secret } = await expectBody(seller.createWebhookEndpoint({ body: { url: receiverUrl, description: 'Demo' } }));
  return secret;
}

const draft = {
  name: `Demo Editor ${story}`,
  description: 'An editor that edits.',
  price_amount: 1200,
  currency: 'JPY',
  support_email: 'support@example.com',
  refund_policy: 'Refunds within 14 days.',
  software_operating_environment: 'Windows 11, macOS 15, Linux',
  activation_limit: 2,
  features: ['pro'],
  offline_file_days: 30,
  updates_days: 0,
};

async function offerProduct(): Promise<{ id: string; slug: string }> {
  chapter('2. The seller drafts a product, and an admin approves it');
  const product = await expectBody(seller.createProduct({ body: draft }));
  await expectBody(seller.submitProduct({ path: { product_id: product.id } }));
  const approved = await expectBody(admin.reviewProduct({ path: { product_id: product.id }, body: { decision: 'approve' } }));
  summary.push(`product ${product.slug}: ${approved.status}`);
  return product;
}

async function offerFile(productId: string): Promise<string> {
  chapter('3. The seller uploads a file; it is hashed and scanned, and an admin approves it');
  const named = { filename: 'デモ Editor 1.0.zip', purpose: 'download' } as const;
  const { path, sha256Hex } = await uploadProductFile(seller, productId, demoFile(32), named);
  await markFileClean(path);
  const approved = await expectBody(admin.reviewProductFile({ path, body: { decision: 'approve' } }));
  summary.push(`file ${path.file_id}: ${approved.hash_status}, ${approved.status}, ${approved.visibility}`);
  return sha256Hex;
}

async function download({ files }: PurchaseCompletionPageResponse, token: string, sha256Hex: string): Promise<void> {
  chapter('5. The buyer downloads the file that was vouched for');
  const [file] = files;
  if (!file) throw new Error('The completion page shows no file.');
  const { download_url } = await expectBody(anyone.createFileDownloadIntent({ path: { file_id: file.file_id }, body: { token } }));
  const reply = await fetch(download_url);
  const hash = createHash('sha256');
  for await (const chunk of reply.body ?? []) hash.update(chunk);
  if (hash.digest('hex') !== sha256Hex) throw new Error('Other bytes were downloaded than were uploaded.');
  console.log(`  ${reply.headers.get('content-disposition')}`);
  summary.push(`download: ${reply.headers.get('content-length')} bytes, the very ones that were uploaded`);
}

async function useDevices(productId: string, licenseKey: string): Promise<void> {
  chapter('6. The app takes two seats, and is refused a third');
  const on = (device: string) => ({ body: { product_id: productId, license_key: licenseKey, device_fingerprint: device } });
  await expectBody(anyone.activateLicense(on('laptop')));
  await expectBody(anyone.activateLicense(on('desktop')));
  await expectBody(anyone.activateLicense(on('laptop')));
  const refused = await anyone.activateLicense(on('tablet'));
  if (refused.error?.code !== 'activation_limit_exceeded') throw new Error('A third device was not refused.');
  await expectBody(anyone.deactivateLicense(on('desktop')));
  await expectBody(anyone.activateLicense(on('tablet')));
  const answer = await expectBody(anyone.validateLicense(on('laptop')));
  summary.push(`license: ${answer.code}, ${answer.activation_count} of ${answer.activation_limit} seats taken`);
  await expectBody(anyone.deactivateLicense(on('laptop')));
  await expectBody(anyone.deactivateLicense(on('tablet')));
}

async function keepLease(productId: string, licenseKey: string): Promise<DemoApps> {
  chapter('7. An app, built with the public keys of today, keeps a lease, and then needs no network');
  const { keys } = await expectBody(anyone.getLeaseKeys());
  await buildApps({ baseUrl: base, productId, keys });
  const { online } = await openApps(tracedFetch);
  const activated = await online.activate(licenseKey);
  if (activated.until === undefined) throw new Error(`There is no lease of ${base}. Give the address that the stack printed as BASE_URL.`);
  const apps = await openApps();
  const decided = await apps.online.checkOffline();
  if (decided.code !== 'lease_valid') throw new Error(`The lease is not taken: ${decided.code}.`);
  console.log(`  without network: ${shown(decided)}`);
  summary.push(`lease: ${shown(decided)}`);
  return apps;
}

async function activateAirGapped({ airGapped }: DemoApps, licenseKey: string): Promise<void> {
  chapter('8. A device without network shows a request code, and a person carries its lease back');
  const requestCode = await airGapped.makeRequestCode();
  const { lease } = await expectBody(anyone.activateOfflineDevice({ body: { license_key: licenseKey, request_code: requestCode } }));
  const imported = await airGapped.importLease(lease ?? '');
  if (!imported.allowed) throw new Error(`The lease is not taken: ${imported.code}.`);
  console.log(`  on the device: ${shown(imported)}`);
  summary.push(`device without network: ${shown(imported)}`);
}

async function suspendAndReinstate(productId: string, licenseKey: string): Promise<void> {
  chapter('9. The seller finds the sale by its key, suspends the license and reinstates it');
  const { items } = await expectBody(seller.searchOrders({ body: { license_key: licenseKey } }));
  const path = { order_id: items[0]?.id ?? '' };
  await expectBody(seller.suspendLicense({ path, body: { reason: 'The buyer asked for it.' } }));
  const answer = await expectBody(anyone.validateLicense({ body: { product_id: productId, license_key: licenseKey } }));
  const { status } = await expectBody(seller.reinstateLicense({ path }));
  summary.push(`suspended by the seller: ${answer.code}; reinstated: ${status}`);
}

async function revoke(productId: string, licenseKey: string, licenseId: string): Promise<void> {
  chapter('10. An admin revokes the license, and the next validate knows');
  await expectBody(admin.revokeLicense({ path: { license_id: licenseId }, body: { reason: 'End of the demo' } }));
  const answer = await expectBody(anyone.validateLicense({ body: { product_id: productId, license_key: licenseKey } }));
  summary.push(`after the revocation: valid ${answer.valid}, ${answer.code}`);
}

/** What was given cannot be taken back: an app that does not ask runs to the end of its lease. */
async function showWhatIsLeft({ online, airGapped }: DemoApps): Promise<void> {
  for (const [device, app] of Object.entries({ 'cut off since': online, 'without network': airGapped })) {
    summary.push(`after the revocation, on a device ${device}: ${shown(await app.checkOffline())}`);
  }
}

/** Returns the key of who bought before. */
async function editOnSale({ id, slug }: { id: string; slug: string }): Promise<string> {
  chapter('11. The seller edits the product while it is on sale, and an admin approves the edit: from now on with a year of updates');
  const { licenseKey } = await buy(slug, 'early-buyer');
  const path = { product_id: id };
  const edit = { description: 'An editor that edits, and undoes.', price_amount: 1480, updates_days: 365 };
  await expectBody(seller.updateProduct({ path, body: { ...draft, ...edit } }));
  const { revision } = await expectBody(seller.submitProduct({ path }));
  const { items } = await expectBody(quietAdmin.listProductsForReview({ query: { review_status: 'pending_review', limit: 100 } }));
  console.log(`  for review: ${JSON.stringify(items.find((item) => item.id === id)?.pending?.changes)}`);
  const before = await expectBody(anyone.getPublicProduct({ path: { slug } }));
  await expectBody(admin.reviewProduct({ path, body: { decision: 'approve', expected_revision: revision } }));
  const after = await expectBody(anyone.getPublicProduct({ path: { slug } }));
  summary.push(`edit on sale: ${before.price_amount} until it was approved, then ${after.price_amount}`);
  return licenseKey;
}

const Received = z.object({
  items: z.array(z.object({ path: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })),
});

async function readEvents(secret: string): Promise<void> {
  chapter('20. The seller’s own system was told, and knows by the signatures who told it');
  const webhook = new Webhook(secret);
  const types = await waitFor('the last event', async () => {
    const { items } = z.parse(Received, await (await fetch(`${base}/__local/receiver`)).json());
    const own = items.filter(({ path }) => path === receiverPath);
    const verified = own.map(({ body, headers }) => z.parse(z.object({ type: z.string() }), webhook.verify(body, headers)).type);
    const has = (type: string, times: number) => verified.filter((one) => one === type).length >= times;
    // Of each kind the last that happens: the early buyer's activation, and the refund of the seats.
    return has('release.published', 1) && has('activation.created', 6) && has('license.changed', 2) ? verified : undefined;
  });
  const counts = Map.groupBy(types, (type) => type);
  for (const [type, of] of counts) console.log(`  ${type}: ${of.length}`);
  summary.push(`events: ${types.length} of ${counts.size} types, each with a good signature`);
}

/** The one token that is printed: it opens a purchase that was made to be looked at. */
async function leaveOpen({ id, slug }: { id: string; slug: string }): Promise<{ links: string[]; lease: string }> {
  chapter('12. Another buyer’s license stays active, to be looked at');
  const { licenseKey, token } = await buy(slug, 'visitor');
  const answer = await activate(id, licenseKey);
  summary.push(`the other license: ${answer.code}, ${answer.activation_count} of ${answer.activation_limit} seats taken`);
  const links = [
    `the product     ${base}/p/${slug}`,
    `its releases    ${base}/p/${slug}/releases`,
    `the purchase    ${base}/complete#token=${token}`,
    `a new link      ${base}/manage`,
    `its mail        ${base}/__local/mails`,
    `everything      ${base}/__local`,
  ];
  return { links, lease: answer.lease ?? '' };
}

function activate(productId: string, licenseKey: string) {
  const device = { device_fingerprint: 'demo-laptop', device_label: 'Demo laptop' };
  return expectBody(anyone.activateLicense({ body: { product_id: productId, license_key: licenseKey, ...device } }));
}

/**
 * The whole story against a running local stack, step by step, with what was sent and what
 * came back, through the client that is generated from the OpenAPI document. Keys, tokens and
 * links are masked, but for the links to a purchase that is left active at the end.
 *
 * @throws Error when a step is answered otherwise than expected.
 */
export async function tellStory(): Promise<void> {
  const secret = await becomeSeller();
  const product = await offerProduct();
  const sha256Hex = await offerFile(product.id);
  chapter('4. A buyer reads the product page, pays and gets a mail');
  const { purchase, licenseId, licenseKey, token } = await buy(product.slug, 'buyer');
  summary.push(`order ${purchase.order.id}: ${purchase.order.status}`);
  await download(purchase, token, sha256Hex);
  await useDevices(product.id, licenseKey);
  const apps = await keepLease(product.id, licenseKey);
  await activateAirGapped(apps, licenseKey);
  await suspendAndReinstate(product.id, licenseKey);
  await revoke(product.id, licenseKey, licenseId);
  await showWhatIsLeft(apps);
  const earlyKey = await editOnSale(product);
  const { links, lease: covered } = await leaveOpen(product);
  const releasedSha256Hex = await releaseFromCi(product.id);
  const { lease: ended = '' } = await activate(product.id, earlyKey);
  await updateApps(product.id, { covered, ended }, releasedSha256Hex);
  await sellMore();
  await readEvents(secret);
  chapter('Summary');
  for (const line of summary) console.log(`  ${line}`);
  chapter('Open in a browser');
  for (const link of links) console.log(`  ${link}`);
  console.log('\n  Stop the stack and run `npm run demo -- offline`: the apps decide by the leases that they keep in build/demo.');
}
