import { html } from '../../../../../shared/html.ts';
import { causeRows, eventRows, exampleEvent, receivers } from '../event-types.ts';
import { codeBlock, type Section, table } from '../section.ts';

const endpoints = html`<p>販売、返金、端末の動きを、起きたときに自社のシステムで知りたい販売者のための機能です。形式は
<a href="https://www.standardwebhooks.com">Standard Webhooks</a>に従い、ほとんどの言語にライブラリーがあります。</p>
<h3>エンドポイント</h3>
<p><code>POST /v1/webhook-endpoints</code>に<code>url</code>を付けて作成します。<code>event_types</code>で受け取る種類を選べます。省略するとすべてを受け取ります。販売者ごとに5個までです。応答にはエンドポイントの<code>secret</code>（<code>whsec_</code>…）が<strong>一度だけ</strong>表示されます。パスワードと同じ場所に保管してください。アドレスは公開された名前のhttps、ポート443に限ります。リダイレクトには従いません。</p>
${codeBlock('届くもの', exampleEvent)}
<p><code>timestamp</code>は起きた時刻、<code>webhook-timestamp</code>は送った時刻です。</p>
${table(
  'イベントの種類',
  ['type', '起きたこと', 'data'],
  eventRows({
    'license.issued': '購入者にライセンスが発行された。',
    'license.status_changed': 'ライセンスが使えなくなった、または再び使えるようになった。',
    'license.changed': '枠の数か、アップデートの期限が変わった。',
    'order.paid': '支払いが届いた。',
    'order.refunded': '代金の全部または一部が返金された。',
    'order.disputed': '購入者がカード会社に異議を申し立てた。',
    'order.dispute_closed': 'カード会社の判断が出た。',
    'activation.created': '端末が枠を使い始めた。',
    'activation.released': '端末の枠が空いた。',
    'activation.refused': '端末が枠を得られなかった。',
    'product.reviewed': '商品の審査結果が出た。',
    'product_file.reviewed': 'ファイルの審査結果が出た。',
    'release.reviewed': 'リリースの審査結果が出た。',
    'release.published': 'リリースが初めて公開された。',
    'release.yanked': 'リリースの配信が取りやめられた。',
    test: '試しに送るよう求められた。',
  }),
)}
<p>注文のイベントの<code>kind</code>は、注文の内容を示します。<code>license</code>はライセンス、<code>seats</code>と<code>updates</code>は<code>parent_order_id</code>の注文のライセンスへの追加、<code>upgrade</code>はアップグレードです。追加ではライセンスが発行されないため、<code>license.issued</code>は届きません。追加後の内容は<code>license.changed</code>で届きます。いま使えるかどうかは、追加の<code>order.paid</code>の<code>license_status</code>でわかります。アップグレードの<code>license.issued</code>では、元の注文とライセンスが<code>upgraded_from</code>に入ります。<code>amount</code>は注文全体の金額です。</p>
${table(
  'license.changedの理由',
  ['cause', '起きたこと'],
  causeRows({
    addition_paid: '追加の代金が支払われた。',
    addition_refunded: '追加の代金が全額返金され、追加がなくなった。',
    addition_disputed: '追加の支払いに異議が申し立てられ、その間は追加が数えられない。',
    addition_restored: '異議が認められなかったときなど、追加が再び数えられるようになった。',
    seller_changed: '販売者がライセンスを変更した。',
  }),
)}
<p>同じライセンスで枠を得られなかった知らせは1分に1回にまとめられ、<code>count</code>が前回からの回数を示します。端末の知らせはライセンスごとに1時間に60件までで、送られなかった件数は次の知らせの<code>suppressed</code>に入ります。エンドポイントに届くのは、作成後に起きたことだけです。</p>
<p><strong>dataに入るのはID、状態、金額、数だけです。</strong>ライセンスキー、メールアドレス、端末の名前やフィンガープリント、アドレス、トークンが入ることはありません。必要なことはIDで問い合わせてください。種類やフィールドは増えることがあります。知らないものにも2xxで答えてください。</p>`;

const verification = html`<h3>信じる前に検証する</h3>
<p>受信用のアドレスには誰でも送れます。<code>webhook-signature</code>には空白で区切られた署名が並びます。そのどれかが、<code>v1,</code>と、HMAC-SHA256のbase64に一致するときだけ受け取ってください。対象は、<code>webhook-id</code>、ピリオド、<code>webhook-timestamp</code>、ピリオド、届いたままの本文をつないだバイト列です。鍵は、<code>whsec_</code>の後ろのbase64を復号したものです。比較は一定の時間で行い、自分の時計と300秒より離れたものは拒んでください。次のプログラムはこのすべてを行います。</p>
${receivers}
<p><code>POST /v1/webhook-endpoints/{endpoint_id}/rotate-secret</code>で新しいシークレットが表示されます。24時間は両方で署名されるので、どちらを持つ受信側も動き続けます。その間に新しいものへ入れ替えてください。</p>`;

const attempts = html`<h3>応答、繰り返し、順序</h3>
<ul>
<li><strong>10秒以内に2xxで答える。</strong>イベントを保存して答え、処理はその後で行います。ほかの応答や応答なしは失敗とみなされます。</li>
<li><strong>繰り返し。</strong>失敗すると、同じイベントが5秒、5分、30分、2時間、5時間、10時間、14時間、20時間、24時間の後に、少しずつ前後して再び届きます。その後は失敗と記録されます。受信側で失敗がなくても2回届くことがあります。どの試行も<code>webhook-id</code>は同じです。記録しておき、受け取り済みのものは捨ててください。</li>
<li><strong>順序。</strong>起きた順に届くとは限りません。<code>timestamp</code>に従うか、現在の状態を問い合わせてください。</li>
<li><strong>停止。</strong>410と答えるとエンドポイントは無効になります。5日間失敗だけが続いたときも無効になり、連絡先のアドレスにメールが届きます。無効の間は何も送られません。
<code>PATCH /v1/webhook-endpoints/{endpoint_id}</code>で<code>enabled</code>をtrueにすると再開します。</li>
</ul>
<h3>確かめる、試す、再び送る</h3>
<ul>
<li><code>GET /v1/webhook-endpoints/{endpoint_id}/deliveries</code>は、イベントごとに、状態、試行の回数、最後のステータスコードやエラー、次に届く時刻を返します。受信側の応答の内容は残りません。</li>
<li><code>POST /v1/webhook-endpoints/{endpoint_id}/test</code>は<code>test</code>を送ります。返答の<code>event_ids</code>がその番号です。</li>
<li><code>POST /v1/webhook-endpoints/{endpoint_id}/replay</code>は、<code>since</code>の時刻より後に起きたもの、または<code>event_id</code>の1件を再び送ります。件数は返答の<code>count</code>です。イベントは、エンドポイントが無効の間も含めて30日間保管されます。</li>
</ul>`;

export const events: Section = {
  id: 'events',
  title: 'イベントを受け取る',
  body: html`${endpoints}
${verification}
${attempts}`,
};
