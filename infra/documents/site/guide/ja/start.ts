import { html } from '../../../../../shared/html.ts';
import { languages } from '../../languages.ts';
import type { Section } from '../section.ts';
import { clientFiles, fileLink, stepsIn } from '../steps.ts';

const stepsOf = stepsIn({
  locale: 'ja',
  needs: (needs) => `必要なもの：${needs}`,
  fetch: 'クライアントと公開鍵を取得する',
  build: 'ビルドする',
  start: 'キーなし、キーあり、もう一度キーなしで起動する',
  says: '表示',
  startOffline: 'ネットワークを切って起動する',
  saysOffline: 'そのときの表示',
  about: (client) => html`<code>${client}</code>の冒頭：プロキシ、証明書、スレッドについて（英語）`,
  firstLines: (client) => `${client}の冒頭`,
});

export const start: Section = {
  id: 'start',
  title: '10分で始める',
  body: html`<p>クライアントはアプリにコピーして使う1つのファイルで、10分もあれば読み通せます。フィンガープリントを作って保存し、3つの呼び出しを行い、署名付きのリースを保管して、サービスに接続できないときはリースで判断します。ほかに読み込むものはありません。クライアントとサンプルのライセンスはMIT-0です。変更の有無にかかわらず、著作権表示なしでアプリに組み込んで配布できます。</p>
<ol>
<li>商品のID（<code>prd_…</code>）とライセンスキーを用意します。キーは、自分で商品を一度購入すれば手に入ります。<a href="#test-keys">テスト用のキー</a>を受け付けるビルドにしてもかまいません。</li>
<li>空のフォルダーに、クライアントと公開鍵を取得します。クライアントが各鍵から読むのは<code>kid</code>、<code>x</code>、<code>y</code>です。
<strong><code>jwks.json</code>はソースと一緒に保管してください</strong>。アプリが信頼するのはビルド時に組み込んだ鍵だけで、後から送られてきた鍵は信頼しません。ビルドのたびに鍵を取得すると、そのとき応答した相手を無条件に信頼することになります。</li>
<li>使う言語のアプリを自分の商品のIDで書き、キーを付けて起動します。</li>
</ol>
${languages.map(stepsOf)}
<p>どの呼び出しも状態を返します。<code>allowed</code>がtrueなら実行し、<code>message</code>を表示し、<code>features</code>に応じて機能を有効にします。<code>askOnline</code>がtrueのときはサービスに確かめずに判断しているので、間を置かずに<code>check</code>をもう一度呼び出してください。ネットワークの状態が悪いと<code>check</code>は30秒ほどかかることがあります。まず<code>checkOffline</code>で起動し、ユーザーインターフェースを止めずに確かめてください。その後は<code>watch</code>が、1日に1回と、端末がスリープから復帰したときに確かめます。キーが断られても、端末にすでにあるライセンスは止まりません。断られた理由は<code>code</code>でわかり、<code>allowed</code>はtrueのままです。サービスが答えたときは、使用中の台数が<code>seats</code>、上限が<code>limit</code>、ライセンスに期限があればその日時が<code>expiresAt</code>に入ります。</p>
<p>ファイル：${clientFiles.map((name) => html`${fileLink(name)}、`)}${fileLink('license-client.js')}。ほかの言語で検証を実装するときは、${fileLink('lease-vectors.json')}で確かめられます。正しいリースと偽造されたリースに、すべてのクライアントが下す判定を添えたものです。</p>`,
};
