import { html } from '../../../../../shared/html.ts';
import type { Section } from '../../guide/section.ts';
import { feedSamples } from '../feed-samples.ts';

export const feeds: Section = {
  id: 'feeds',
  title: 'アップデーターの接続先',
  body: html`<p>アップデーターごとに、そのまま読める形式のフィードがあります。提示されるのは、そのライセンスの対象となるリリースだけです。ライセンスは次のどちらかで証明します。</p>
<ul>
<li><strong>リース：</strong>クライアントが保存しているリースを、ヘッダー<code>X-License-Lease</code>で送ります。アドレスでは、チケットの位置に<code>-</code>を書きます。ダウンロードでファイルの保管先に転送されても、ヘッダーは無視されるだけで支障はありません。機能が100近くあるライセンスでは、リースがヘッダーに収まらないことがあります。その場合はチケットを使ってください。</li>
<li><strong>チケット：</strong>ヘッダーを送れないアップデーターで使います。<code>validate</code>か<code>activate</code>に<code>"update_feed": true</code>を付けると、形式名の手前までのアドレス<code>update_feed_url</code>が返ります。有効期間は24時間です。パスワードと同じように扱い、起動のたびに取り直してください。</li>
</ul>
${feedSamples}
<ul>
<li><strong><code>X-Update-Code</code></strong>が、更新がある理由、ない理由をすべての応答で示します。証明に失敗したときや返金されたライセンスでも、利用者を驚かせるエラーにはならず、更新なしの応答になります。</li>
<li><strong>チャンネルには、より安定したものも含まれます。</strong>順にstable、rc、beta、alpha、devです。electron-updaterは<code>latest.yml</code>を、<code>channel</code>が<code>beta</code>のときは<code>beta.yml</code>を読みます。</li>
<li><strong>動いているバージョンを伝えてください。</strong>check、appcast、electronでは<code>?current=1.0.0</code>です。<code>?os=13.2</code>を付けると、そのOSで動かないものは除かれます。バージョンがないと、古いものが提示されることがあります。</li>
<li><strong>対象外のとき、</strong>checkは<code>upgrade</code>を返し、appcastにはダウンロードのない項目が入ります。どちらにも更新内容へのリンクがあります。</li>
<li><strong>ダウンロードはなくなりません。</strong>対象となる最後のバージョンは、ライセンスが有効な限り同じアドレスから取得できます。<code>GET</code>ではRangeを使え、<code>HEAD</code>で大きさがわかります。</li>
<li><strong>回数の目安：</strong>確認は1日1回、端末ごとに異なる時刻にすれば十分です。毎秒のように確認したり、端末の台数をはるかに超えてダウンロードしたりするライセンスには、<code>Retry-After</code>を付けて429を返します。</li>
</ul>`,
};
