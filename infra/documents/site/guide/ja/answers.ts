import { html } from '../../../../../shared/html.ts';
import { type Section, table } from '../section.ts';
import { codesTable } from './runtime-codes.ts';

export const answers: Section = {
  id: 'codes',
  title: '答えの意味',
  body: html`<p>使えないという答えもエラーではなく、ステータス200の通常の応答です。<code>valid: false</code>に、理由を示す<code>code</code>が付きます。
実行するかどうかは<code>valid</code>で、何を伝えるかは<code>code</code>で決めてください。知らないcodeが将来返ることもあります。そのときは<code>valid</code>に従ってください。</p>
${codesTable()}
<p><code>deactivate</code>は、ライセンスがどの状態でも応答します。その<code>valid</code>は、ライセンス自体をまだ使えるかどうかを示します。</p>
<p>次のステータスは、ライセンスについての答えではありません。</p>
${table(
  'ライセンスについての答えではない応答',
  ['ステータスとcode', '意味', 'アプリがすること'],
  [
    [
      html`409 <code>activation_limit_exceeded</code>`,
      'ほかの端末が枠をすべて使っています。',
      html`購入者ページ<code>https://api.example.com/manage</code>を案内します。使わなくなった端末や手元にない端末の登録を、購入者が解除できます。`,
    ],
    [
      html`400 <code>deactivation_not_allowed</code>`,
      'このライセンスの条件では、枠を空けられません。',
      'そのことを伝え、このライセンスでは解除を案内しないようにします。',
    ],
    [
      html`400（上記以外のcode）`,
      'リクエストの形式が正しくありません。アプリの誤りか、空の項目があります。',
      html`ロックせず、同じ内容で再送もしません。開発者に届くように記録します。問題の項目名は<code>message</code>にあります。`,
    ],
    [
      '413、429、500、502、503、504、または応答なし',
      'いまはサービスに接続できません。',
      html`それまでの判断のまま続け、後でもう一度試します。<code>Retry-After</code>があれば、その時間が過ぎるまで待ちます。`,
    ],
    [
      html`真偽値の<code>valid</code>を持つJSONではないもの`,
      'サービスからの応答ではありません。公衆無線LANのログイン画面やプロキシの応答です。',
      '応答がないときと同じです。',
    ],
  ],
)}`,
};
