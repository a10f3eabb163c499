import { html } from '../../../../shared/html.ts';
import { codeBlock, type Section, table } from '../guide/section.ts';
import { discount, invoiceNumber, offers } from './requests.ts';

const terms = html`<p>商品は、1つのライセンスを定価で売るほかにも、いろいろな売り方ができます。売り方は商品の一部なので、販売中の商品での変更は審査を待ちます。販売済みのものの条件は変わりません。割引コードは商品とは別にあり、審査はありません。</p>
${table(
  'ほかに売れるもの',
  ['売り方', '設定', '購入者が受け取るもの'],
  [
    ['1つの注文で複数', html`<code>max_quantity</code>`, '1つのライセンスと1つのキー。使える端末の数は数量分になります。'],
    ['割引', html`<code>POST /v1/products/{product_id}/discounts</code>`, '同じライセンス。コードを知っている人が対象です。'],
    [
      'あとからの枠の追加',
      html`<code>addition_prices</code>の<code>seat</code>`,
      'いまのライセンスで使える端末が増えます。キーは変わりません。',
    ],
    [
      'アップデートの延長',
      html`<code>addition_prices</code>の<code>updates</code>`,
      html`いまのライセンスの期限が<code>updates_days</code>日延びます。`,
    ],
    ['別の商品への優待', html`<code>upgrades_from</code>`, '新しい商品のライセンスとキー。元のライセンスもそのまま使えます。'],
  ],
)}
${codeBlock('チーム向けの商品と、その購入者が安く買える商品', offers)}`;

const quantity = html`<h3>1つの注文で複数</h3>
<p><code>max_quantity</code>が2以上なら、商品ページで数量を選べます。1つの注文からできるライセンスは1つで、その<code>activation_limit</code>は商品の値に<code>quantity</code>を掛けたものです（100,000まで）。取り込んだコードの商品は1つずつの販売です。<code>unit_amount</code>は割引後の1つの金額、<code>amount</code>は全体の金額です。手数料は全体に対して一度だけかかります。</p>
<p>自分のショップから<code>POST /v1/public/products/{slug}/checkout</code>で購入手続きを始める場合の注意：このサービスの古いバージョンは<code>quantity</code>を知らず、1つだけ販売します。応答の<code>quantity</code>に従い、なければ1つと考えてください。金額は<code>POST /v1/public/products/{slug}/quote</code>であらかじめ確かめられます。</p>`;

const codes = html`<h3>割引コード</h3>
<p>コードは、1つの価格から<code>percent_off</code>または<code>amount_off</code>を割り引きます。割引額の端数は、通貨の刻みに合わせて切り捨てます。<code>max_redemptions</code>で注文の数を、<code>starts_at</code>と<code>ends_at</code>で期間を限れます。コード付きのリンク<code>/p/{slug}?code=SPRING-20</code>を開くと、割引前と割引後の価格が表示されます。使えるのは最初の購入だけで、追加とアップグレードには使えません。割引は変更できないので、終了して新しく作ってください。一度使ったコードは、終了しても再び使えません。割引を作ったときと違う通貨で商品を販売している間は使えません。</p>
${codeBlock('コードを作り、利用状況を見て、終了する', discount)}
<ul>
<li><strong>購入手続きの間は、数に限りのあるコードが1つ押さえられます。</strong><code>max_redemptions</code>のあるコードで手続きを始めると、支払える間は、支払わなくても1つ分が<code>reserved</code>になります。支払われなければ45分以内に戻ります。そのため、残りがあるのに使い切られたように見えることがあります。</li>
<li><strong>100%割引のコードは、プログラムで使い切られることがあります。</strong>無料の注文にはカードがいらず、歯止めがありません。渡す相手を限り、<code>max_redemptions</code>を付け、公開しないでください。</li>
<li><strong>返金しても利用数は戻りません。</strong>一度でも支払われた注文は<code>redeemed</code>に数えられます。支払いの知らせが大きく遅れたときなど、ごくまれに<code>max_redemptions</code>を超えることがあります。支払った購入者がライセンスを受け取れないことはありません。</li>
</ul>`;

const additions = html`<h3>追加とアップグレード</h3>
<p>どちらも、購入者のページ（<code>/manage</code>から入れます）で、その時点の商品の価格と通貨で買えます。ライセンスが使える状態で、商品（アップグレードでは新しい商品）が販売中のときに限ります。追加は独立した注文（<code>kind</code>は<code>seats</code>か<code>updates</code>）で、ライセンスの注文を<code>parent_order_id</code>で示し、自分のライセンスはありません。アップグレードは新しい商品の注文（<code>kind</code>は<code>upgrade</code>、<code>upgraded_from</code>付き）です。1つのライセンスにつき一度だけ販売され、金額はアップグレードの価格に、元の注文の<code>quantity</code>を掛けたものです。</p>
<p><strong>追加の代金を払う人は、ライセンスの持ち主でなくてもかまいません。</strong>リンクを知っている同僚も払えます。払った人には領収書と追加した内容だけが見え、キー、端末、ファイルは見えません。持ち主には、リンクのないメールで知らせます。ライセンスキーで探すと、ライセンスの注文とその追加が見つかります。</p>
${table(
  'ライセンスが変わるとき、変わらないとき',
  ['起きたこと', 'ライセンス'],
  [
    [
      '追加が支払われた',
      html`枠が増えるか、アップデートの期限が<code>updates_days</code>日延びます。期限が過ぎていれば、支払いの時点から数えます。`,
    ],
    [
      '追加が全額返金された、または異議が申し立てられた',
      '追加した分がなくなり、異議が認められなければ戻ります。使用中の端末の枠はなくならず、新しい端末が使えなくなります。',
    ],
    [
      '注文の一部が返金された',
      html`<strong>枠も期限も変わりません。</strong>枠も減らすときは、<code>PATCH /v1/orders/{order_id}/license</code>で上限を下げてください。`,
    ],
    ['上限を変更した', 'その値になります。その後の追加や返金は、そこから増減します。'],
    ['上限を下げた', '使用中の端末の枠はなくなりません。必要な数が解除されるまで、新しい端末は使えません。'],
    [
      'アップグレードが支払われた',
      '元のライセンスはそのままです。新しいライセンスの枠は、新しい商品の値の数量分です。追加した枠や変更した上限は引き継がれません。',
    ],
    [
      'アップグレード元の注文が全額返金された、または異議が申し立てられた',
      'アップグレードしたライセンスも止まり、元の注文とともに戻ります。',
    ],
    ['元のライセンスが停止、または取り消された', 'アップグレードしたライセンスには影響しません。'],
    ['商品を変更した', html`販売済みのものは変わりません。<code>issued_at</code>が動くことはありません。`],
  ],
)}
<p><strong>手数料について。</strong>返金はあなたの口座から行われます。返金した分の手数料を返すかどうかは運営者が決めます。自動では戻らないので、運営者にご相談ください。</p>`;

const invoices = html`<h3 id="invoices">インボイス（適格請求書）</h3>
<p>適格請求書発行事業者の登録番号を登録し、商品ごとに、価格に含まれる消費税の税率（10、8、0）を<code>tax_percent</code>で示してください。以後、支払い済みのJPYの注文の領収書は適格簡易請求書になり、発行者の名称と登録番号、日付、内容、合計、税率、税額が記載されます。返金や、認められた異議があると、その合計についての適格返還請求書が加わります。同じ内容は、<code>GET /v1/orders/{order_id}</code>の<code>invoice</code>で確かめられます。</p>
${codeBlock('登録番号を登録する', invoiceNumber)}
<ul>
<li>注文には、購入手続きを始めた時点の登録番号、名称、税率が残ります。それより前の注文、無料の注文、ほかの通貨の注文は通常の領収書のままです。税率が0のときは、登録番号だけが記載され、税額は0です。</li>
<li>運営者が販売者に代わって発行する場合（媒介者交付特例）、発行者は運営者となり、あなたは委託者として記載されます。<strong>登録番号を登録することが、適格請求書発行事業者であることの運営者への通知になります。</strong></li>
<li>確かめるのは番号の形式だけです。本人のものか、有効かは確かめません。登録をやめたときは、<code>""</code>を送って番号を消してください。</li>
</ul>`;

export const sellingMore: Section = {
  id: 'selling-more',
  title: 'さまざまな売り方',
  body: html`${terms}
${quantity}
${codes}
${additions}
${invoices}`,
};
