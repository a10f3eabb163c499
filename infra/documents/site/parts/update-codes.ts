import type { Html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { type UpdateCode, updateCodes } from '../../../../shared/updates/update-codes.ts';
import { wordTable } from '../section.ts';

/** Those of the license mean what they mean to apps, whose table has them. */
type ExplainedCode = Exclude<UpdateCode, `license_${string}`>;

interface CodeTexts {
  label: string;
  headings: readonly string[];
  meanings: Readonly<Record<ExplainedCode, readonly [means: string, advice: string]>>;
}

const texts: Readonly<Record<Locale, CodeTexts>> = {
  en: {
    label: 'Why there is an update or none',
    headings: ['X-Update-Code', 'What it means', 'What you do'],
    meanings: {
      product_unavailable: ['The product is suspended.', 'Nothing. Ask again on another day.'],
      proof_missing: ['The address has -, and no lease came in the header.', 'Send X-License-Lease, or take a ticket.'],
      proof_invalid: [
        'What came is no lease or ticket of ours, is for another product, or is that of a test key.',
        'Look at the product_id, and at what your updater sends. Try it with a license that was bought.',
      ],
      proof_expired: ['The lease or ticket has ended.', 'Validate, and ask again with the new one.'],
      update_available: ['A newer version is offered.', 'Update.'],
      not_covered: [
        'There is a newer version, and the license does not cover it.',
        'Lead to the purchase page, where updates may be sold.',
      ],
      no_release: [
        'The channel has no published file for this system, arch and form.',
        'Look at platform, arch and feeds of the release’s artifacts.',
      ],
      up_to_date: [
        'Nothing newer is offered to this device. A rollout may be paused, or may not have reached it.',
        'Nothing. To look at one, set rollout_percent to 100.',
      ],
    },
  },
  ja: {
    label: '更新がある理由、ない理由',
    headings: ['X-Update-Code', '意味', '対応'],
    meanings: {
      product_unavailable: ['商品が停止されています。', '何もせず、日を改めて確認します。'],
      proof_missing: ['アドレスが-なのに、ヘッダーにリースがありません。', 'X-License-Leaseを送るか、チケットを使います。'],
      proof_invalid: [
        'このサービスのリースやチケットではないか、別の商品のものか、テスト用のキーのものです。',
        'product_idと、アップデーターが送っている内容を確かめます。購入したライセンスで試してください。',
      ],
      proof_expired: ['リースかチケットの期限が切れています。', 'validateを呼び出し、新しいもので確認します。'],
      update_available: ['新しいバージョンがあります。', '更新します。'],
      not_covered: ['新しいバージョンはありますが、ライセンスの対象外です。', '更新を購入できることがある、注文ページを案内します。'],
      no_release: [
        'このチャンネルには、このOS、CPU、形式の公開済みのファイルがありません。',
        'リリースのartifactsのplatform、arch、feedsを確かめます。',
      ],
      up_to_date: [
        'この端末に提示する新しいバージョンはありません。段階的な公開が一時停止中か、まだこの端末に届いていないこともあります。',
        '何もしません。動作を確かめるときは、rollout_percentを100にしてください。',
      ],
    },
  },
};

const isExplained = (code: UpdateCode): code is ExplainedCode => !code.startsWith('license_');

/** What each `X-Update-Code` means, and what whoever wires an updater does about it. */
export function updateCodesTable(locale: Locale): Html {
  const { label, headings, meanings } = texts[locale];
  return wordTable(
    label,
    headings,
    updateCodes.filter(isExplained).map((code) => [code, ...meanings[code]]),
  );
}
