import { html } from '../../../../shared/html.ts';
import { events } from '../guide/ja/events.ts';
import { codeBlock, type Section, table } from '../guide/section.ts';
import { application, nextTasks, sale, submission } from './requests.ts';
import { sellingMore } from './selling-more-ja.ts';
import { type StatusMeanings, statusTables } from './tables.ts';

const meanings: StatusMeanings = {
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
    approved: '`buyer_visible`であれば、購入者がダウンロードできます。',
    rejected: '理由は`rejected_reason`にあります。別のファイルをアップロードしてください。',
    disabled: '自分で取り下げたか、管理者が停止しました。',
  },
};

export const sellerSections: readonly Section[] = [
  {
    id: 'first-sale',
    title: '申請から最初の販売まで',
    body: html`<p>どこまで進んだかは、いつでも<code>GET /v1/overview</code>でわかります。<code>tasks</code>はいつも同じ6つで、順番も決まっています。<code>state</code>が<code>todo</code>か<code>action</code>のものが、あなたのすることです。<code>waiting</code>は他の人の作業を待っている状態、<code>blocked</code>は前のものが済むまで進めない状態です。<code>attention</code>には、対応が必要なことが新しい順に並びます。戻された申請や商品、承認されなかったファイルや検査に失敗したファイル、決済サービスから求められていること、残りの少ないコード、こちらで止めた通知先などです。審査の結果は、連絡先のアドレスにもメールで届きます。</p>
${codeBlock('次にすることを見る', nextTasks)}
<ol>
<li><strong>申請します。</strong>管理者が審査します。状態の意味は下の表にあります。</li>
<li><strong>決済口座をつなぎます。</strong><code>POST /v1/sellers/payment/account-link</code>の応答にある決済サービスのページで手続きをします。戻ったら<code>POST /v1/sellers/payment/refresh</code>を送り、<code>payment_charges_enabled</code>が<code>true</code>になったことを確かめます。承認を待たずに始められます。</li>
<li><strong>商品の下書きを作ります</strong>（<code>POST /v1/products</code>）。公開後のページのアドレスが<code>url</code>です。</li>
<li><strong>ファイルがあればアップロードします。</strong>アプリは<a href="/docs?lang=ja#test-keys">テスト用のキー</a>で試せます。</li>
<li><strong>審査に出します</strong>（<code>POST /v1/products/{product_id}/submit-review</code>）。承認されて<code>on_sale</code>が<code>true</code>になれば、<code>url</code>で販売が始まります。</li>
</ol>
${codeBlock('申請する', application)}
${codeBlock('下書きを作り、審査に出す', submission)}
<p>商品ページは、購入者に見えるとおりに確かめられます。<code>POST /v1/products/{product_id}/preview</code>の応答にある<code>preview_url</code>を15分以内に開いてください。審査を待つ変更も見られます（<code>version</code>）。そこで購入することはできません。</p>
<p>1つの商品を2人で、または2つのタブで編集するときは、読み込んだときの<code>revision</code>を<code>expected_revision</code>として、変更や審査の提出と一緒に送ってください。その間に変更されていれば、何も書き込まれず、<code>stale_revision</code>が返ります。読み込み直してから、もう一度判断してください。</p>
<p>連絡先などのアドレスは、申請し直さずに変えられます。<code>contact_email</code>や<code>support_email</code>を、<code>PATCH /v1/sellers/me</code>で送ってください。</p>
<p>知らない名前の項目は無視され、応答のヘッダー<code>X-Ignored-Fields</code>に名前が載ります。つづりの誤りはここで見つかります。</p>`,
  },
  { id: 'statuses', title: '状態の意味', body: statusTables(meanings, 'ja') },
  {
    id: 'prices',
    title: '価格と通貨',
    body: html`<p><code>price_amount</code>は通貨の最小単位です。<code>4800</code>は、JPYなら4,800円、USDなら48.00ドルです。価格は税込みです。0にもできます。その場合、購入者は支払いなしでライセンスを受け取ります。決まった刻みでしか請求できない通貨もあり、刻みはエラーの<code>message</code>に示されます。</p>
<p>代金は、このサービスの手数料を差し引いて、決済サービスのあなたの口座に入ります。注文には、注文した時点の価格と条件が残ります。あとの変更は影響しません。</p>
<p>ライセンスの使用に期限はありません。アップデートを受け取れる日数は<code>updates_days</code>で決めます。365なら1年間、0なら購入時のバージョンのみ、36,500（既定値）なら無期限です。日数は商品ページと注文の確認画面に示され、ライセンスには期限の日時が<code>updates_until</code>として残ります。アプリでの扱いは<a href="/docs/updates?lang=ja">アップデートのガイド</a>にあります。</p>`,
  },
  sellingMore,
  {
    id: 'files',
    title: 'ファイルと審査',
    body: html`<p>ファイルごとに3回リクエストします。<code>filename</code>、<code>content_type</code>、<code>size_bytes</code>、<code>sha256_hex</code>を<code>upload-intent</code>に送り、返ってきた<code>upload_url</code>に、<code>required_headers</code>をそのまま付けてPUTし、同じ大きさとハッシュを<code>…/files/{product_file_id}/finalize</code>に送ります。届いたファイルはハッシュの計算とウイルス検査を経て、管理者が承認します。同時に有効なファイルは商品ごとに20個までです。商品ページの画像には<code>"purpose": "image"</code>を付けます。</p>
<p>大きなファイルは分けて送れます。回線が切れても、送り直すのは1つの部分だけです。<code>upload-intent</code>に<code>part_size_bytes</code>（8〜64 MiB）を付けると、応答に<code>parts</code>が加わり、期限は24時間になります。<code>POST …/files/{product_file_id}/parts</code>に<code>part_number</code>と<code>sha256_hex</code>を最大16個ずつ送り、返ってきたURLに好きな順番でPUTします。同じアドレスの<code>GET</code>で届いた部分がわかるので、止まったところから続けられます。最後は同じく<code>finalize</code>です。</p>
<p>販売中の商品も編集できます。違いは<code>pending</code>に示されます。審査に出し、承認されるまで、販売中の内容は変わりません。</p>`,
  },
  {
    id: 'releases',
    title: '新しいバージョン',
    body: html`<p>リリースは、アプリの1つのバージョンと、その変更点、ファイルをまとめたものです。<code>POST /v1/products/{product_id}/releases</code>で下書きを作り、<code>…/submit</code>で提出します。足りないものがあれば、すべて表示されます。管理者がファイルとともに承認したら、すべての端末、または一部の端末に向けて公開します。公開したものに問題があれば、<code>…/yank</code>で取り消せます。取り消しは元に戻せません。リリースによって、商品や販売の条件が変わることはありません。</p>
<p>購入者のページには、ライセンスの対象となるすべてのバージョンが表示されます。変更点は、商品の更新履歴のページで誰でも読めます。アップデート機能のあるアプリには、対象のバージョンが届きます。その仕組みと、ビルド用のマシンから提出する方法は、<a href="/docs/updates?lang=ja#ci">アップデートのガイド</a>をご覧ください。</p>`,
  },
  {
    id: 'refunds',
    title: '返金と異議申し立て',
    body: html`<p><strong>返金は、決済サービスの自分の口座で行います。</strong>このサービスに返金のリクエストはありません。返金は決済サービスから通知され、すぐに次のようになります。</p>
<ul>
<li><strong>全額の返金：</strong>注文は<code>refunded</code>になり、ライセンスは使えなくなり、キーも表示されなくなります。購入者には1通のメールで知らせます。</li>
<li><strong>一部の返金：</strong>注文は<code>partially_refunded</code>になります。ライセンスはそのまま使え、枠もアップデートの期限も変わりません。</li>
<li><strong>追加の返金：</strong>追加した分がなくなり、<a href="#selling-more">ほかは残ります</a>。</li>
<li><strong>カード会社への異議申し立て：</strong>ライセンスはすぐに止まります。認められなければ再び使えるようになり、認められれば返金と同じ扱いになります。決済サービスで期限までに回答してください。</li>
</ul>
<p>オフラインで有効にした端末や、リースのある端末は、その期限まで動きます。</p>`,
  },
  {
    id: 'buyers',
    title: '購入者から問い合わせがあったら',
    body: html`<p><code>POST /v1/orders/search</code>で、ライセンスキー、メールアドレス、注文IDのいずれかから注文を探します。<code>GET /v1/orders/{order_id}</code>では、ライセンス、メールの届き具合、端末（「device 1」「device 2」）がわかります。購入者のアドレスとキーは表示されません。支払い、メール、端末の追加と解除など、その後に起きたことと、誰がしたかは、<code>GET /v1/orders/{order_id}/history</code>で順にわかります。</p>
${codeBlock('注文を探し、内容を見て、新しいリンクを送る', sale)}
${table(
  'よくある問い合わせと対応',
  ['問い合わせ', '対応'],
  [
    [
      'キーやメールをなくした',
      html`<code>/manage</code>を案内します。購入時のアドレスに新しいリンクが届きます。<code>POST /v1/orders/{order_id}/resend-link</code>で送ることもできます。`,
    ],
    [
      '端末を替えたら、枠が空いていない',
      html`購入者が自分のページで端末を解除できます。<code>/manage</code>から入れます。<code>POST …/activations/{activation_id}/release</code>で解除することもできます。`,
    ],
    [
      'メールアドレスを間違えた',
      html`<code>POST /v1/orders/{order_id}/buyer-email-request</code>で訂正を依頼します。アドレスの持ち主がライセンスの持ち主になるため、管理者が判断します。`,
    ],
    [
      '枠を増やしたい',
      html`<a href="#selling-more">枠を販売していれば</a>、購入者が自分のページで買えます。無償で増やすときは、<code>PATCH /v1/orders/{order_id}/license</code>で<code>activation_limit</code>を変えます。`,
    ],
    [
      'アップデートの期間を延ばしたい',
      html`<a href="#selling-more">延長を販売していれば</a>、購入者が自分のページで買えます。無償で延ばすときは、<code>PATCH /v1/orders/{order_id}/license</code>で<code>updates_until</code>を今より先の日時にします。`,
    ],
    [
      'キーが流出した',
      html`購入者が自分のページで新しいキーに替えられます。すぐに止めるときは<code>POST …/license/suspend</code>、戻すときは<code>reinstate</code>です。`,
    ],
    ['返金してほしい', html`決済サービスで返金してください。<a href="#refunds">そのあとの処理</a>は自動で行われます。`],
    [
      '問い合わせはないが、注文に不審な点がある',
      html`<code>GET /v1/orders/{order_id}/history</code>で確かめます。<code>POST …/license/suspend</code>を送ると、アプリの次の呼び出しでライセンスが止まります。何も失われず、<code>reinstate</code>で元に戻せます。完全に取り消すときは、運営者にご連絡ください。管理者が取り消します。`,
    ],
  ],
)}`,
  },
  {
    id: 'imports',
    title: '手持ちのコードを販売する',
    body: html`<p><code>"license_issuance_mode": "imported_csv"</code>の商品では、取り込んだコードを販売します。見出し行と<code>code</code>列のあるUTF-8のCSVを<code>POST /v1/products/{product_id}/code-batches</code>に送ります。コードは1回ずつ販売され、以前に取り込んだコードは重複として除かれます。受け付けられなかった行は、ファイルの行番号とともに<code>errors</code>に示されます。残りは<code>GET …/code-stock</code>でわかります。残りがないときに支払われた注文は待機し、次に取り込んだコードを受け取ります。</p>`,
  },
  events,
];
