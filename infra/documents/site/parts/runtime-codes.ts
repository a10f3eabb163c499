import type { Html } from '../../../../shared/html.ts';
import { type RuntimeCode, runtimeCodes } from '../../../../shared/licenses/runtime-license.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { wordTable } from '../section.ts';

interface CodeTexts {
  label: string;
  headings: readonly string[];
  /** From which calls each code comes, what it means, and what an app does about it. */
  meanings: Readonly<Record<RuntimeCode, readonly [from: string, means: string, advice: string]>>;
}

const texts: Readonly<Record<Locale, CodeTexts>> = {
  en: {
    label: 'Codes of the runtime endpoints',
    headings: ['code', 'From', 'What it means', 'What your app does'],
    meanings: {
      valid: ['validate', 'The license may be used.', 'Run. If device_activated is false, this device holds no seat: activate it.'],
      activated: ['activate', 'This device took a seat just now.', 'Run.'],
      already_activated: ['activate', 'This device had its seat already; nothing changed.', 'Run.'],
      deactivated: ['deactivate', 'The seat is free again.', 'Forget the key on this device.'],
      not_activated: ['deactivate', 'This device held no seat; nothing changed.', 'Forget the key on this device.'],
      license_key_malformed: [
        'all three',
        'There is no such key: by its check symbols it was mistyped, or a part of it is missing.',
        'Ask the user to look at the key again, or to paste it.',
      ],
      license_not_found: [
        'all three',
        'There is no such key for this product. It may be the key of another product.',
        'Ask for the key of this product. If the key worked before, check the product_id in your build first.',
      ],
      license_replaced: [
        'all three',
        'The buyer had this key replaced by a new one, because it leaked. It is the key of no license any more, and nothing is freed.',
        'Lock, and ask for the new key: the buyer’s page shows it.',
      ],
      license_revoked: ['validate, activate', 'An admin took the license back for good.', 'Lock, and name the seller’s support address.'],
      license_refunded: [
        'validate, activate',
        'The buyer got the money back for the license, or for the purchase that it was upgraded from.',
        'Lock, and lead to the purchase page, which says which.',
      ],
      license_disputed: [
        'validate, activate',
        'The payment is disputed. If the dispute is won or withdrawn, the license comes back by itself.',
        'Lock, keep the key and the user’s work, and go on validating.',
      ],
      license_suspended: ['validate, activate', 'The license is on hold.', 'Lock, keep the key, and go on validating.'],
      license_expired: ['validate, activate', 'Its time is over; see expires_at.', 'Lock, and offer a renewal.'],
    },
  },
  ja: {
    label: 'ライセンスの呼び出しが返すcode',
    headings: ['code', '呼び出し', '意味', 'アプリがすること'],
    meanings: {
      valid: [
        'validate',
        'ライセンスは有効です。',
        '実行します。device_activatedがfalseなら、この端末に枠はありません。activateを呼び出してください。',
      ],
      activated: ['activate', 'この端末がいま枠を使い始めました。', '実行します。'],
      already_activated: ['activate', 'この端末にはすでに枠があり、何も変わっていません。', '実行します。'],
      deactivated: ['deactivate', '枠が空きました。', 'この端末からキーを消します。'],
      not_activated: ['deactivate', 'この端末に枠はなく、何も変わっていません。', 'この端末からキーを消します。'],
      license_key_malformed: [
        '3つすべて',
        'そのようなキーはありません。検査文字からわかる入力の誤りか、一部の欠けたキーです。',
        'キーをもう一度確かめるか、貼り付けるように促します。',
      ],
      license_not_found: [
        '3つすべて',
        'この商品にそのようなキーはありません。別の商品のキーかもしれません。',
        'この商品のキーを入力してもらいます。以前は使えていたキーなら、まずビルドのproduct_idを確かめてください。',
      ],
      license_replaced: [
        '3つすべて',
        '購入者がキーを新しいものに取り替えました。古いキーは二度と使えません。',
        'ロックし、新しいキーを入力してもらいます。',
      ],
      license_revoked: [
        'validate、activate',
        '管理者がライセンスを取り消しました。元には戻りません。',
        'ロックし、販売者のサポート窓口を案内します。',
      ],
      license_refunded: [
        'validate、activate',
        'ライセンスの代金、またはアップグレード元の購入の代金が返金されました。',
        'ロックし、どちらなのかが書かれた注文ページを案内します。',
      ],
      license_disputed: [
        'validate、activate',
        '支払いに異議が申し立てられています。申し立てが退けられるか取り下げられると、ライセンスは自動的に元に戻ります。',
        'ロックします。キーとユーザーの作業内容は残し、validateを続けます。',
      ],
      license_suspended: ['validate、activate', 'ライセンスは一時停止中です。', 'ロックします。キーは残し、validateを続けます。'],
      license_expired: ['validate、activate', '有効期限が切れています（expires_atを参照）。', 'ロックし、更新を案内します。'],
    },
  },
};

/** What each `code` of the runtime endpoints means, and what an app does about it. */
export function codesTable(locale: Locale): Html {
  const { label, headings, meanings } = texts[locale];
  return wordTable(
    label,
    headings,
    runtimeCodes.map((code) => [code, ...meanings[code]]),
  );
}
