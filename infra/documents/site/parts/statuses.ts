import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import type { ProductFileStatus } from '../../../../shared/product-files/product-file.ts';
import type { ProductStatus, SaleBlocker } from '../../../../shared/products/product.ts';
import type { InternalReviewStatus } from '../../../../shared/sellers/seller.ts';
import { wordTable } from '../section.ts';

/** What each word of a field means to a seller, in one language; none may be missing. Field names stand in backticks. */
interface StatusMeanings {
  applications: Readonly<Record<InternalReviewStatus, string>>;
  products: Readonly<Record<ProductStatus, string>>;
  blockers: Readonly<Record<SaleBlocker, string>>;
  files: Readonly<Record<ProductFileStatus, string>>;
}

/** The field that says it. */
const fields = { applications: 'internal_review_status', products: 'status', blockers: 'sale_blockers', files: 'status' } as const;

const names = {
  en: { applications: 'Seller: ', products: 'Product: ', blockers: 'Product: ', files: 'File: ', meaning: 'What it means' },
  ja: { applications: '販売者：', products: '商品：', blockers: '商品：', files: 'ファイル：', meaning: '意味' },
};

/** The four tables, under a heading each. */
export function statusTables(locale: Locale): Html {
  const meanings = meaningsIn[locale];
  const say = names[locale];
  const parts = (['applications', 'products', 'blockers', 'files'] as const).map((name) => {
    const title = `${say[name]}${fields[name]}`;
    const rows = Object.entries(meanings[name]).map(([word, meaning]) => [word, withCode(meaning)] as const);
    return html`<h3>${title}</h3>\n${wordTable(title, [fields[name], say.meaning], rows)}\n`;
  });
  return html`${parts}`;
}

const withCode = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;

const meaningsIn: Readonly<Record<Locale, StatusMeanings>> = {
  en: {
    applications: {
      draft: 'An admin needs to know more: `review_note` says what. Send the application again.',
      pending_review: 'An admin looks at the application. You can draft products meanwhile.',
      approved_limited: 'You may sell.',
      approved: 'You may sell.',
      rejected: 'Not accepted: `review_note` says why. You may apply again.',
      suspended: 'Stopped by an admin. What you sold keeps working; write to the operator.',
    },
    products: {
      draft: 'Yours alone. Nobody else sees it until you hand it in.',
      pending_review: 'An admin looks at it. Any change makes it a draft again.',
      approved: 'On sale. Change it as you like: buyers see the change once it is approved.',
      published: 'On sale.',
      unpublished: 'Not on sale.',
      rejected: '`rejection_reason` says why. Change it, and hand it in again.',
      suspended: 'Stopped by an admin. Licenses that were sold keep working.',
    },
    blockers: {
      seller_not_approved: 'Your application is not approved.',
      payment_not_ready: 'The payment account cannot take charges yet. Open the link of `account-link`, then `refresh`.',
      not_approved: 'The product was not handed in, or waits for its review, or was rejected.',
      suspended: 'An admin stopped the product.',
      out_of_stock: 'No imported code is left. Import more.',
    },
    files: {
      upload_pending: 'The upload was begun. Its URL ends after 15 minutes, in parts after 24 hours.',
      pending_review: 'Hashed and scanned, then looked at by an admin.',
      approved: 'Buyers can download it, where the admin made it `buyer_visible`.',
      rejected: '`rejected_reason` says why. Upload another file.',
      disabled: 'Withdrawn by you, or stopped by an admin.',
    },
  },
  ja: {
    applications: {
      draft: '追加の情報が必要です。`review_note`の内容を確かめて、もう一度申請してください。',
      pending_review: '審査中です。その間も商品の下書きを作れます。',
      approved_limited: '販売できます。',
      approved: '販売できます。',
      rejected: '承認されませんでした。理由は`review_note`にあります。もう一度申請できます。',
      suspended: '管理者が停止しました。販売済みのライセンスは引き続き使えます。運営者にお問い合わせください。',
    },
    products: {
      draft: '自分だけが見られる下書きです。',
      pending_review: '審査中です。変更すると下書きに戻ります。',
      approved: '販売中です。変更は、承認されるまで購入者には見えません。',
      published: '販売中です。',
      unpublished: '販売していません。',
      rejected: '理由は`rejection_reason`にあります。直して、もう一度審査に出してください。',
      suspended: '管理者が停止しました。販売済みのライセンスは引き続き使えます。',
    },
    blockers: {
      seller_not_approved: '販売者の申請がまだ承認されていません。',
      payment_not_ready: '決済口座でまだ支払いを受けられません。`account-link`のページで手続きを終え、`refresh`してください。',
      not_approved: 'まだ審査に出していないか、審査中か、承認されませんでした。',
      suspended: '管理者が商品を停止しました。',
      out_of_stock: '取り込んだコードが残っていません。追加で取り込んでください。',
    },
    files: {
      upload_pending: 'アップロードの途中です。URLの期限は15分、分割の場合は24時間です。',
      pending_review: 'ハッシュの計算とウイルス検査のあと、管理者が審査します。',
      approved: '管理者が`buyer_visible`にしていれば、購入者がダウンロードできます。',
      rejected: '理由は`rejected_reason`にあります。別のファイルをアップロードしてください。',
      disabled: '自分で取り下げたか、管理者が停止しました。',
    },
  },
};
