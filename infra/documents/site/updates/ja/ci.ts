import type { TokenScope } from '../../../../../shared/audit/caller.ts';
import { html } from '../../../../../shared/html.ts';
import { type Section, table } from '../../guide/section.ts';
import { ciSamples, tokenSample } from '../ci-samples.ts';

export const fromCi: Section = {
  id: 'ci',
  title: 'CIからリリースする',
  body: html`<p>タグ<code>v1.2.0</code>をプッシュすると、アプリをビルドし、ファイルをアップロードして、バージョン<code>1.2.0</code>を審査に提出します。スクリプトにはbash、curl、jq、sha256sumが必要です。GitHubのLinuxマシンにはどれも用意されています。ほかのCIでも、同じように呼び出せます。</p>
<ol>
<li>下の手順でトークンを作り、リポジトリのシークレット<code>LICENSE_TOKEN</code>に登録します。商品のIDは、変数<code>PRODUCT_ID</code>に登録します。</li>
<li>スクリプトとワークフローを保存します。</li>
</ol>
${ciSamples}
<ul>
<li><strong><code>release.json</code>はビルドが書き出します。</strong>内容は<code>POST /v1/products/{product_id}/releases</code>に送るものと同じで、各ファイルのパスを<code>file</code>に書きます。バージョンと変更点、そしてバージョンに合ったチャンネルはスクリプトが補います。<code>1.3.0-beta.2</code>はベータ、後ろに何も付かないバージョンは安定版になります。</li>
<li><strong>途中で止まったら、もう一度実行してください。</strong>下書きの続きから始め、下書きにあるファイルは再びアップロードしません。提出済みのものは変わりません。同じバージョンに別のファイルがあると、スクリプトは失敗します。</li>
<li><strong>足りないものは、</strong>ファイルと項目ごとに一度にすべて表示されます。下書きは次の実行まで残ります。</li>
<li><strong>承認されたら、</strong>公開の操作（<code>POST /v1/products/{product_id}/releases/{release_id}/publish</code>）をします。<code>release.json</code>に<code>"publish_on_approval": true</code>があれば、承認と同時に公開されます。その場合、トークンには<code>releases:publish</code>も必要です。</li>
</ul>`,
};

/** What each scope opens. */
const scopes: Readonly<Record<TokenScope, string>> = {
  'releases:read': 'リリースとファイルの一覧の取得。',
  'releases:write': 'リリースの作成、編集、削除、提出、取り下げと、そのファイルのアップロード。',
  'releases:publish': '公開と公開の取り消し、承認と同時に公開される下書き。',
};

export const apiTokens: Section = {
  id: 'tokens',
  title: 'APIトークン',
  body: html`<p>トークンがあれば、サインインをしない機械が販売者の権限で呼び出せます。できることはスコープと商品で限られ、<code>product_ids</code>を省くとすべての商品が対象になります。<code>POST /v1/api-tokens</code>の応答にトークンが表示されるのは、<strong>この一度だけ</strong>です。新しいトークンができたことは、連絡先のアドレスにメールでお知らせします。</p>
${tokenSample}
${table(
  'スコープでできること',
  ['スコープ', 'できること'],
  Object.entries(scopes).map(([scope, text]) => [html`<code>${scope}</code>`, text]),
)}
<p><code>Authorization: Bearer lst_…</code>として送ります。これ以外のこと、たとえば売り上げ、購入者、商品、ほかのトークンの操作はできません。有効期間は<code>expires_in_days</code>で決まり、最長366日です。<code>POST /v1/api-tokens/{token_id}/revoke</code>ですぐに無効にできます。最後に使われた日時は<code>GET /v1/api-tokens</code>でわかります。同時に有効なトークンは20個までです。</p>`,
};
