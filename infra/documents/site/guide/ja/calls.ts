import { html } from '../../../../../shared/html.ts';
import { reply, request } from '../calls.ts';
import { codeBlock, type Section, table } from '../section.ts';

const code = (text: string) => html`<code>${text}</code>`;

export const calls: Section = {
  id: 'three-calls',
  title: '3つの呼び出し',
  body: html`<p>アプリにアカウントやシークレットは要りません。商品のID、購入者が入力したライセンスキー、端末のフィンガープリントを送ると、そのライセンス1件についての答えが返ります。</p>
${table(
  '3つの呼び出し',
  ['いつ', '呼び出し', '起きること'],
  [
    [
      'ユーザーがキーを初めて入力したとき',
      code('POST /v1/licenses/activate'),
      '端末が1台分の枠を使います。同じ端末でもう一度呼び出しても何も変わらないので、応答が届かなかったときはそのまま再送してください。',
    ],
    [
      '起動時と、実行中は1日に1回程度',
      code('POST /v1/licenses/validate'),
      '何も変わりません。ライセンスをまだ使えるか、この端末に枠があるかがわかります。',
    ],
    [
      'サインアウト、アンインストール、別の端末への移行のとき',
      code('POST /v1/licenses/deactivate'),
      '枠が空き、別の端末で使えるようになります。繰り返し呼び出しても問題ありません。',
    ],
  ],
)}
${codeBlock('リクエスト', request)}
${codeBlock('応答', reply)}
<p>キーはユーザーが入力したとおりに送ってください。大文字と小文字、空白、ハイフンの種類、0の代わりのO、1の代わりのIやLは区別しないので、送る前に直したり拒んだりしないでください。フィンガープリントは一字一句そのまま比較されます。前後の空白も削らないでください。</p>
<p>validateにもフィンガープリントを付け、<code>valid</code>がtrueで<code>device_activated</code>がfalseなら、activateを呼び出してください。誰かがこの端末の枠を空けたか、アプリのデータが別の端末から移されています。</p>
<p><code>nonce</code>と<code>lease</code>は、サービスに接続できないときのためのものです（<a href="#offline">オフライン</a>を参照）。毎回問い合わせるアプリでは、どちらも省けます。</p>`,
};
