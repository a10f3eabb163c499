import { html } from '../../../../../shared/html.ts';
import { type Section, table } from '../../guide/section.ts';
import { coveredSamples } from '../samples.ts';

export const covered: Section = {
  id: 'covered',
  title: 'このビルドは対象か',
  body: html`<p>ライセンスの使用に期限はありませんが、アップデートには期限を設けられます。発行から何日間アップデートを受け取れるかは商品の<code>updates_days</code>で決まり、ライセンスの<code>updates_until</code>がその期限です。期限がなければ、この項目はありません。<strong>期限が過ぎても、サービスの応答やクライアントがアプリを止めることはありません。</strong><code>valid</code>と<code>allowed</code>の意味は変わりません。期限より新しいビルドを動かすかどうかを決めるのはアプリで、クライアントがそのための情報を渡します。</p>
${table(
  'updates_untilのある場所',
  ['場所', '形式'],
  [
    ['アプリへの応答、購入者のページ、販売者の注文', html`<code>2027-01-31T09:00:00.000Z</code>のような日時。`],
    ['両方の種類のリース', html`クレーム。1970年からの秒数で、1秒未満は切り捨て。整数でなければ、そのリースは不正な形式として扱われる。`],
    [
      'クライアントが返す状態',
      html`<code>updatesUntil</code>（PythonとRustでは<code>updates_until</code>、Goでは<code>UpdatesUntil</code>）。1970年からの秒数。サービスが答えたばかりならその答えから、そうでなければ保管したリースから取る。`,
    ],
  ],
)}
<p>リリースの日時を1970年からの秒数でビルドに書き込み、その日時で確かめます。期限とちょうど同じ秒のビルドは対象です。</p>
${coveredSamples}
<ul>
<li><strong>一度対象になったものは止めない。</strong>対象の最後のバージョンはいつまでも使えます。エラーを表示する代わりに、そのバージョンと、アップデートを続ける方法を案内してください。</li>
<li><strong>リリースにも同じ日時を。</strong><code>covered_at</code>に指定すれば、フィードとアプリの判断がそろいます。</li>
<li><strong>期限は先に延びるだけです。</strong>販売者は期限を延ばせます。発行済みのリースの内容は次のリースまで変わらず、ネットワークのない端末では次のファイルまで変わりません。</li>
</ul>`,
};
