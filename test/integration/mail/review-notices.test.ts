import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/declaration.ts';
import { routes } from '../../../functions/admin/routes.ts';
import { compose as composeMail } from '../../../functions/mail-sender/compose.ts';
import { settingNames as mailSettings } from '../../../functions/mail-sender/declaration.ts';
import { newId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { consoleUrlOfReview, ReviewNotice, reviewOutcomes, withoutNames } from '../../../shared/mail/seller-mails/review-notice.ts';
import { renderReviewNoticeMail } from '../../../shared/mail/seller-mails/review-notice-mail.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import { getLiveFiles } from '../../../shared/product-files/live-file-repository.ts';
import { createFile } from '../../../shared/product-files/product-file-repository.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { ReleaseRecord } from '../../../shared/releases/release.ts';
import { createDraft } from '../../../shared/releases/release-repository.ts';
import type { SellerRecord } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleFile } from '../../support/samples/sample-file.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';

type Scene = Awaited<ReturnType<typeof openScene>>;
let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});

async function openScene({ consoleClientId }: { consoleClientId?: string } = {}) {
  const { table } = await createTestTable();
  const logger = createLogger({}, () => undefined);
  const queue = createTestQueue();
  const mails: OutgoingMail[] = [];
  const send = async (mail: OutgoingMail) => void mails.push(mail);
  let late = 0;
  const now = () => new Date(Date.now() + late);
  const worker = composeMail({
    settings: sampleSettings(mailSettings, { CONSOLE_CLIENT_ID: consoleClientId ?? '' }),
    table,
    logger,
    sender: createTestQueue(),
    send,
    now,
  });
  const admin = createCaller(
    composeAdmin({ settings: sampleSettings(adminSettings), table, logger, sender: queue, store: undefined }),
    routes,
  );
  const asAdmin = { 'X-User-ID': 'root', 'X-User-Email': 'admin@example.com' };
  return {
    table,
    mails,
    async put(seller: Partial<SellerRecord>, product: Partial<ProductRecord> = {}) {
      const owner = sampleSeller({ displayName: '株式会社みなと', contactEmail: 'owner@example.jp', ...seller });
      const made = sampleProduct({ sellerId: owner.id, name: '波形エディター', ...product });
      await table.transact([...addSeller(owner), ...addProduct(made)]);
      return { seller: owner, product: made };
    },
    /** Reviews, and has the worker do what that left to do, which the queue brings again once its lease has ended; the mails of it. */
    async review(path: string, body: object): Promise<OutgoingMail[]> {
      mails.length = 0;
      const { status } = await admin('PATCH', `/v1/admin/${path}/review`, { headers: asAdmin, body });
      expect(status).toBe(200);
      const messages = queue.take();
      await worker(messages);
      const sent = [...mails];
      late += 61_000;
      await worker(messages);
      expect(mails).toEqual(sent);
      return sent;
    },
  };
}

describe('a review', () => {
  test('of a seller is mailed once, with its note if that is for the seller, and in both languages', async () => {
    const { seller } = await scene.put({});
    const path = `sellers/${seller.id}`;
    const [asked] = await scene.review(path, { decision: 'needs_more_info', note: 'Which <products>?' });
    expect(asked).toMatchObject({
      to: 'owner@example.jp',
      subject: '販売者の申請について確認したいことがあります / Your application to sell needs more information',
      text: expect.stringMatching(/理由: Which <products>\?[\s\S]*Reason: Which <products>\?/),
      html: expect.stringContaining('Which &lt;products&gt;?'),
    });
    expect(asked?.text).not.toMatch(/https?:\/\/[^\s]*console/);
    expect(await scene.review(path, { decision: 'needs_more_info', note: 'Again.' })).toEqual([]);
    const [suspended] = await scene.review(path, { decision: 'suspend', note: 'For admins alone.' });
    expect(suspended?.subject).toContain('You were suspended as a seller');
    expect(suspended?.text).not.toContain('For admins alone.');
  });

  test('of a product and of its pending revision is mailed with what it is about and the reason of a rejection', async () => {
    const { product } = await scene.put({ internalReviewStatus: 'approved' }, { status: 'pending_review' });
    const request = { decision: 'reject', rejection_reason: '説明が足りません。', note: 'Internal.' };
    const [rejected] = await scene.review(`products/${product.id}`, request);
    expect(rejected?.subject).toMatch(/^商品は承認されませんでした/);
    expect(rejected?.text).toMatch(/商品: 波形エディター[\s\S]*理由: 説明が足りません。/);
    expect(rejected?.text).not.toContain('Internal.');

    const pending = { status: 'pending_review', changes: { priceAmount: 1 }, updatedAt: product.updatedAt } as const;
    const onSale = await scene.put({ ownerUserId: 'other', displayName: 'Harbour' }, { status: 'approved', pending });
    const refused = await scene.put({ ownerUserId: 'another', displayName: 'Harbour' }, { status: 'published', pending });
    const [unchanged] = await scene.review(`products/${refused.product.id}`, request);
    expect(unchanged?.subject).toMatch(/^The change of your product was not approved/);
    expect(unchanged?.text).toContain('Reason: 説明が足りません。');
    const path = `products/${onSale.product.id}`;
    const [revised] = await scene.review(path, { decision: 'approve', rejection_reason: 'Not told.' });
    expect(revised?.subject).toMatch(/^The change of your product was approved \/ 商品の変更/);
    expect(revised?.text).not.toContain('Not told.');
    const [suspended] = await scene.review(path, { decision: 'suspend' });
    expect(suspended?.subject).toMatch(/^Your product was suspended/);
    expect(await scene.review(path, { decision: 'suspend' })).toEqual([]);
  });

  test('of a file is mailed when its state moved: not of manual_clean, nor of another visibility', async () => {
    const { seller, product } = await scene.put({ contactEmail: 'first@example.jp', internalReviewStatus: 'approved_limited' });
    const stored = { status: 'pending_review', hashStatus: 'verified', fileName: 'editor.zip', versionId: 'v1' } as const;
    const file = sampleFile({ productId: product.id, sellerId: seller.id, ...stored });
    await scene.table.transact(createFile(file, await getLiveFiles(scene.table, product.id), new Date()));
    const path = `products/${product.id}/files/${file.id}`;
    expect(await scene.review(path, { decision: 'manual_clean', manual_scan_clean_reason: 'Looked at it.' })).toEqual([]);
    const [approved] = await scene.review(path, { decision: 'approve', rejected_reason: 'Not told.' });
    expect(approved).toMatchObject({ to: 'first@example.jp', subject: expect.stringContaining('Your file was approved') });
    expect(approved?.text).not.toContain('Not told.');
    expect(await scene.review(path, { decision: 'approve', visibility: 'private' })).toEqual([]);
    const [rejected] = await scene.review(path, { decision: 'reject', rejected_reason: 'It does not start.' });
    expect(rejected?.text).toMatch(/File: editor\.zip\s+Reason: It does not start\./);
    expect(rejected?.text).toContain('Product: 波形エディター');
  });

  test('of a release is mailed with the reason of that decision alone', async () => {
    const { seller, product } = await scene.put({ internalReviewStatus: 'approved' });
    const at = '2026-02-01T09:00:00.000Z';
    const of = { productId: product.id, sellerId: seller.id, channel: 'stable', notes: '', critical: false, publishOnApproval: false };
    const blank = { ...of, requiresFeatures: [], artifacts: [], files: {}, createdAt: at, revision: 1 } as const;
    const pending = { ...blank, id: newId('release'), version: '1.0.0', status: 'pending_review' } as const;
    const published = { ...blank, id: newId('release'), version: '2.0.0', status: 'published', publishedAt: at } as const;
    for (const release of [pending, published]) await scene.table.transact(createDraft(ReleaseRecord.parse(release)));
    const pathOf = ({ id }: { id: string }) => `products/${product.id}/releases/${id}`;
    const reasons = { rejection_reason: 'No notes.', yank_reason: 'It loses files.', note: 'Internal.' };
    const [rejected] = await scene.review(pathOf(pending), { decision: 'reject', ...reasons });
    expect(rejected?.text).toMatch(/Version: 1\.0\.0\s+Reason: No notes\./);
    const [yanked] = await scene.review(pathOf(published), { decision: 'yank', ...reasons });
    expect(yanked?.text).toMatch(/Version: 2\.0\.0\s+Reason: It loses files\./);
    expect([rejected, yanked].map((mail) => mail?.subject.split(' / ')[1])).toEqual([
      'Your release was not approved',
      'Your release was taken back',
    ]);
    for (const other of ['It loses files.', 'Internal.']) expect(rejected?.text).not.toContain(other);
    for (const other of ['No notes.', 'Internal.']) expect(yanked?.text).not.toContain(other);
  });

  test('of what an applicant handed in is mailed with its id and the reason, and with nothing that the applicant chose', async () => {
    const { product } = await scene.put({ internalReviewStatus: 'pending_review' }, { status: 'pending_review' });
    const [mail] = await scene.review(`products/${product.id}`, { decision: 'reject', rejection_reason: 'No terms.' });
    expect(mail?.text).toMatch(new RegExp(`Product: ${product.id}\\s+Reason: No terms\\.`));
    expect(JSON.stringify(mail)).not.toMatch(/波形エディター|みなと/);
    const full = {
      outcome: 'release.rejected',
      productId: product.id,
      productName: 'Win',
      fileName: 'a.exe',
      version: '1.0.0-prize',
    } as const;
    expect(withoutNames(full)).toEqual({ outcome: full.outcome, productId: product.id, productName: product.id });
  });

  test('leads, where there is a console, to the screen of what was reviewed', async () => {
    scene = await openScene({ consoleClientId: 'console' });
    const { product } = await scene.put({ internalReviewStatus: 'approved' }, { status: 'pending_review' });
    const [approved] = await scene.review(`products/${product.id}`, { decision: 'approve' });
    const screen = `http://127.0.0.1:3000/console/products/${product.id}`;
    expect(approved?.text.split(`${screen}\n`)).toHaveLength(3);
    expect(approved?.html).toContain(`href="${screen}"`);
    // Each half in its own language, for who reads and who listens.
    expect(approved?.html).toMatch(/<div lang="ja".*ボタンで開けないときは/s);
    expect(approved?.html.match(/If the button does not work/g)).toHaveLength(1);
  });
});

test.each(reviewOutcomes)('the screen of a notice of %s is that of what was reviewed, where the notice says which', (outcome) => {
  const about = { outcome, productId: newId('product'), version: '1.0.0-ü 1' };
  const ofProduct = `https://a.example/console/products/${about.productId}`;
  const screens: Record<string, string> = {
    seller: 'https://a.example/console/seller',
    product: ofProduct,
    revision: ofProduct,
    file: `${ofProduct}/files`,
    release: `${ofProduct}/releases/1.0.0-%C3%BC%201`,
  };
  const kind = outcome.split('.')[0] ?? '';
  expect(consoleUrlOfReview(about, 'https://a.example/console')).toBe(screens[kind]);
  // As an earlier version queued it.
  const older = ReviewNotice.parse({ outcome, productName: 'Editor', version: '1.0.0' });
  expect(consoleUrlOfReview(older, 'https://a.example/console')).toBe(kind === 'seller' ? screens['seller'] : undefined);
  const mail = renderReviewNoticeMail({ operator: {}, notice: older, screen: undefined, locale: 'en' });
  expect(mail.html).not.toContain('href');
});
