import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { type Code, messages } from '../../clients/license-client.ts';
import { wordTable } from '../section.ts';

/** What the clients say to the user, in Japanese, by code. */
const inJapanese: Readonly<Record<string, string>> = {
  valid: 'このアプリのライセンスは有効です。',
  activated: 'この端末で使えるようになりました。',
  already_activated: 'この端末はすでに登録されています。',
  deactivated: 'この端末の登録を解除しました。',
  not_activated: 'この端末は登録されていません。',
  license_key_malformed: 'ライセンスキーに入力の誤りか不足があるようです。もう一度確かめるか、貼り付けてください。',
  license_not_found: 'このライセンスキーは、このアプリのものではありません。',
  license_replaced: 'このライセンスキーは新しいキーに取り替えられました。新しいキーを入力してください。',
  license_revoked: 'このライセンスは取り消されました。サポートにお問い合わせください。',
  license_refunded: 'このライセンスは返金済みです。',
  license_disputed: 'このライセンスの支払いは異議申し立て中です。解決すると、また使えるようになります。',
  license_suspended: 'このライセンスは一時停止中です。サポートにお問い合わせください。',
  license_expired: 'このライセンスは有効期限が切れています。',
  activation_limit_exceeded: 'このライセンスは上限の台数まで使われています。使わなくなった端末の登録を{manage}で解除してください。',
  deactivation_not_allowed: 'このライセンスは別の端末に移せません。',
  lease_valid: 'このアプリのライセンスは有効です。オンラインになったときにもう一度確認します。',
  licensed_until: 'このアプリのライセンスは{date}まで有効です。',
  lease_expired: 'ライセンスを長い間確認できていません。一度インターネットに接続してください。',
  clock_set_back: 'この端末の時計が正しくないようです。時計を合わせて、一度インターネットに接続してください。',
  lease_refused: 'このライセンスファイルは、この端末のこのアプリのものではありません。',
  test_key_refused:
    'これはテスト用のライセンスのため、allowTestKeysを設定したビルドでしか使えません。ご自分のライセンスキーを入力してください。',
  no_license: 'ライセンスキーを入力してください。',
  not_stored:
    'この端末にライセンスを保存できません。ディスクの空きを増やすか、アプリのフォルダーに書き込めるようにして、もう一度お試しください。',
  unreachable: 'いまはライセンスを確認できません。インターネットに接続して、もう一度お試しください。',
  request_refused: 'ライセンスを確認できませんでした。サポートにお問い合わせください。',
} satisfies Record<Code, string>;

/** What the clients say to the user, by code; in the other language beside it. */
export const sentencesTable = (locale: Locale): Html =>
  locale === 'en'
    ? wordTable('What to show the user for each code', ['code', 'message'], Object.entries(messages))
    : wordTable(
        'codeごとにユーザーに見せる文',
        ['code', 'message', '日本語訳の例'],
        Object.entries(messages).map(([code, sentence]) => [code, html`<span lang="en">${sentence}</span>`, inJapanese[code] ?? '']),
      );
