import { type MailContext, type RenderedMail, renderInEveryLanguage } from '../layout/mail-layout.ts';
import type { ReviewNotice } from './review-notice.ts';

const texts = {
  ja: {
    outcomes: {
      'seller.approved': {
        subject: '販売者の申請が承認されました',
        what: '販売者の申請を承認しました。承認済みの商品は、決済の準備が整いしだい販売できます。',
      },
      'seller.approved_limited': {
        subject: '販売者の申請が限定的に承認されました',
        what: '販売者の申請を限定的に承認しました。承認済みの商品は、決済の準備が整いしだい販売できます。',
      },
      'seller.draft': {
        subject: '販売者の申請について確認したいことがあります',
        what: '審査には追加の情報が必要です。申請の内容を直して、もう一度お申し込みください。',
      },
      'seller.rejected': {
        subject: '販売者の申請は承認されませんでした',
        what: '審査の結果、申請を承認できませんでした。内容を直して、もう一度お申し込みいただけます。',
      },
      'seller.suspended': {
        subject: '販売者としてのご利用を停止しました',
        what: '商品の公開と新しい販売を停止しました。発行済みのライセンスには影響しません。',
      },
      'product.approved': { subject: '商品が承認されました', what: '商品の審査が終わり、承認しました。' },
      'product.draft': {
        subject: '商品の停止を解除しました',
        what: '停止を解除し、商品を下書きに戻しました。もう一度審査に提出し、承認されると販売できます。',
      },
      'product.rejected': {
        subject: '商品は承認されませんでした',
        what: '審査の結果、商品を承認できませんでした。内容を直して、もう一度審査に提出してください。',
      },
      'product.suspended': {
        subject: '商品の販売を停止しました',
        what: 'この商品の公開と販売を停止しました。発行済みのライセンスには影響しません。',
      },
      'revision.approved': {
        subject: '商品の変更が承認されました',
        what: '販売中の商品の変更を承認し、公開しました。',
      },
      'revision.rejected': {
        subject: '商品の変更は承認されませんでした',
        what: '審査の結果、変更を承認できませんでした。商品は変更前の内容のまま販売しています。変更を直して、もう一度審査に提出してください。',
      },
      'file.approved': { subject: 'ファイルが承認されました', what: 'ファイルの審査が終わり、承認しました。' },
      'file.rejected': {
        subject: 'ファイルは承認されませんでした',
        what: '審査の結果、ファイルを承認できませんでした。直したものを、新しいファイルとしてアップロードしてください。',
      },
      'file.disabled': {
        subject: 'ファイルを無効にしました',
        what: 'このファイルを無効にしました。購入者はダウンロードできません。',
      },
      'release.approved': {
        subject: 'リリースが承認されました',
        what: 'リリースの審査が終わり、承認しました。公開するまでは配信されません。',
      },
      'release.published': { subject: 'リリースが承認され、公開されました', what: 'リリースの審査が終わり、ご指定のとおり公開しました。' },
      'release.rejected': {
        subject: 'リリースは承認されませんでした',
        what: '審査の結果、リリースを承認できませんでした。下書きに戻しましたので、内容を直して、もう一度審査に提出してください。',
      },
      'release.yanked': {
        subject: 'リリースの配信を取りやめました',
        what: 'このリリースの配信を取りやめました。ダウンロードはできなくなりました。',
      },
    },
    product: '商品',
    file: 'ファイル',
    version: 'バージョン',
    reason: '理由',
    open: '販売者の画面で確認する',
  },
  en: {
    outcomes: {
      'seller.approved': {
        subject: 'Your application to sell was approved',
        what: 'You may sell. What is approved of your products is for sale as soon as your payment account takes charges.',
      },
      'seller.approved_limited': {
        subject: 'Your application to sell was approved with limits',
        what: 'You may sell, with limits. What is approved of your products is for sale as soon as your payment account takes charges.',
      },
      'seller.draft': {
        subject: 'Your application to sell needs more information',
        what: 'We could not decide on your application yet. Please complete it and hand it in again.',
      },
      'seller.rejected': {
        subject: 'Your application to sell was not approved',
        what: 'You may change your application and hand it in again.',
      },
      'seller.suspended': {
        subject: 'You were suspended as a seller',
        what: 'Your products are no longer public, and nothing more is sold. Licenses that were sold stay as they are.',
      },
      'product.approved': { subject: 'Your product was approved', what: 'The review of this product is done.' },
      'product.draft': {
        subject: 'Your product is no longer suspended',
        what: 'It is a draft again. Once you hand it in and it is approved, it is for sale.',
      },
      'product.rejected': {
        subject: 'Your product was not approved',
        what: 'Please change it and hand it in again.',
      },
      'product.suspended': {
        subject: 'Your product was suspended',
        what: 'It is no longer public, and not sold any more. Licenses that were sold stay as they are.',
      },
      'revision.approved': {
        subject: 'The change of your product was approved',
        what: 'It is live now.',
      },
      'revision.rejected': {
        subject: 'The change of your product was not approved',
        what: 'The product stays on sale as it was. Please change the draft and hand it in again.',
      },
      'file.approved': { subject: 'Your file was approved', what: 'The review of this file is done.' },
      'file.rejected': {
        subject: 'Your file was not approved',
        what: 'Please upload a mended one as a new file.',
      },
      'file.disabled': { subject: 'Your file was disabled', what: 'Buyers cannot download it.' },
      'release.approved': {
        subject: 'Your release was approved',
        what: 'The review of this release is done. Nobody gets it before you publish it.',
      },
      'release.published': {
        subject: 'Your release was approved and published',
        what: 'The review of this release is done, and it is out, as you asked.',
      },
      'release.rejected': { subject: 'Your release was not approved', what: 'It is a draft again. Please change it and hand it in again.' },
      'release.yanked': { subject: 'Your release was taken back', what: 'It is offered no more, and nobody can download it.' },
    },
    product: 'Product',
    file: 'File',
    version: 'Version',
    reason: 'Reason',
    open: 'Open it in your console',
  },
};

/** The mail that tells a seller what a review came to: in every language, as sellers name none. */
export function renderReviewNoticeMail({
  notice,
  screen,
  ...frame
}: MailContext & {
  notice: ReviewNotice;
  /** Where in the console the seller finds what was reviewed, if there is one. */
  screen?: string | undefined;
}): RenderedMail {
  const { outcome, productName, fileName, version, reason } = notice;
  return renderInEveryLanguage(frame, (language) => {
    const say = texts[language];
    const facts = (
      [
        [say.product, productName],
        [say.file, fileName],
        [say.version, version],
        [say.reason, reason],
      ] as const
    ).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const { subject, what } = say.outcomes[outcome];
    const button = screen === undefined ? [] : [{ button: say.open, url: screen }];
    return { subject, blocks: [{ text: what }, ...(facts.length > 0 ? [{ facts }] : []), ...button] };
  });
}
