import { html } from '../../../../../shared/html.ts';
import { codeBlock, type Section } from '../section.ts';
import { mint, minted } from '../test-keys.ts';

export const testKeys: Section = {
  id: 'test-keys',
  title: 'テスト用のキー',
  body: html`<p>商品を販売する前から、アプリを開発できます。販売者は、自分の商品のテスト用のキーを作れます。審査前の下書きでもかまいませんが、停止中の商品では作れません。送る本文はありません。キーが表示されるのは、この1回だけです。</p>
${codeBlock('テスト用のキーを作る', mint)}
${codeBlock('応答（ステータス201）', minted)}
<ul>
<li><strong>購入したキーと同じように働きます。</strong>枠、機能、リース、ネットワークのない端末用のファイルは、商品の現在の条件に従います。売上にはならず、誰にも通知されません。</li>
<li><strong>有効期間は90日です。</strong>商品ごとに同時に20個まで作れます（超えると400 <code>too_many_test_keys</code>）。同じアドレスへの<code>GET</code>で一覧を取得し、
<code>POST …/test-keys/{license_id}/end</code>で早めに終わらせることができます。終わらせたキーは<code>license_revoked</code>、期限の過ぎたキーは<code>license_expired</code>になります。</li>
<li><strong>見分けられます。</strong>応答とリースに<code>test: true</code>が付きます。ほかのライセンスには付きません。</li>
<li><strong>販売するアプリでは使えません。</strong>クライアントは<code>test_key_refused</code>と答えます。<code>allowTestKeys</code>（PythonとRustでは<code>allow_test_keys</code>、Goでは<code>AllowTestKeys</code>）を設定したビルドだけが受け付けます。手元のビルドだけで設定してください。</li>
</ul>`,
};
