import { type Html, html } from '../../../../shared/html.ts';
import { type RuntimeCode, runtimeCodes } from '../../../../shared/licenses/runtime-license.ts';
import { table } from '../section.ts';

const allThree = '3つすべて';
const validateActivate = 'validate、activate';

/** As the English table; the type demands every code here too. */
const meanings: Record<RuntimeCode, readonly [from: string, means: string, advice: string]> = {
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
    allThree,
    'そのようなキーはありません。検査文字からわかる入力の誤りか、一部の欠けたキーです。',
    'キーをもう一度確かめるか、貼り付けるように促します。',
  ],
  license_not_found: [
    allThree,
    'この商品にそのようなキーはありません。別の商品のキーかもしれません。',
    'この商品のキーを入力してもらいます。以前は使えていたキーなら、まずビルドのproduct_idを確かめてください。',
  ],
  license_replaced: [
    allThree,
    '購入者がキーを新しいものに取り替えました。古いキーは二度と使えません。',
    'ロックし、新しいキーを入力してもらいます。',
  ],
  license_revoked: [
    validateActivate,
    '管理者がライセンスを取り消しました。元には戻りません。',
    'ロックし、販売者のサポート窓口を案内します。',
  ],
  license_refunded: [validateActivate, '代金が購入者に返金されました。', 'ロックし、あらためて購入できることを案内します。'],
  license_disputed: [
    validateActivate,
    '支払いに異議が申し立てられています。申し立てが退けられるか取り下げられると、ライセンスは自動的に元に戻ります。',
    'ロックします。キーとユーザーの作業内容は残し、validateを続けます。',
  ],
  license_suspended: [validateActivate, 'ライセンスは一時停止中です。', 'ロックします。キーは残し、validateを続けます。'],
  license_expired: [validateActivate, '有効期限が切れています（expires_atを参照）。', 'ロックし、更新を案内します。'],
};

export const codesTable = (): Html =>
  table(
    'ライセンスの呼び出しが返すcode',
    ['code', '呼び出し', '意味', 'アプリがすること'],
    runtimeCodes.map((code) => [html`<code>${code}</code>`, ...meanings[code]]),
  );
