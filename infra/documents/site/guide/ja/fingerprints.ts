import { html } from '../../../../../shared/html.ts';
import type { Section } from '../section.ts';

export const fingerprints: Section = {
  id: 'fingerprints',
  title: 'よいフィンガープリント',
  body: html`<p>枠はフィンガープリントに結び付いています。勝手に変わると、代金を払ったユーザーが枠を失い、サポートに問い合わせることになります。2台の端末で同じものを使うと、1つの枠を共有することになります。</p>
<ul>
<li><strong>一度だけ、乱数で作る。</strong>OSの安全な乱数を使います。UUIDバージョン4が適しています。NUL以外の文字を512文字まで使えます。</li>
<li><strong>ハードウェアの情報から作らない。</strong>ネットワークアドレス、ディスクのシリアル番号、プロセッサーのIDは、ドッキングステーション、修理、仮想マシン、更新で変わり、複製したイメージでは重複します。多くの国で個人データとして扱われてもいます。</li>
<li><strong>更新や再インストールで消えない場所に置く。</strong>macOSでは<code>~/Library/Application Support</code>かキーチェーン、Windowsでは<code>%LOCALAPPDATA%</code>（移動プロファイルは不可）か<code>HKEY_CURRENT_USER</code>、Linuxでは<code>$XDG_STATE_HOME</code>、スマートフォンではアプリ自身のストレージです。</li>
<li><strong>ほかの端末にコピーされるものに入れない。</strong>クラウドのフォルダー、同期される設定、端末間のデータ移行、コンテナーやマシンのイメージを避けます。コンテナーやビルドマシンには、設定で与えてください。</li>
<li><strong>端末とユーザーアカウントの組ごとに1つ。</strong>多くの購入者はそう考えています。1台のマシンのユーザー全員で枠を共有するなら、マシン単位で保存してください。</li>
<li><strong>activateの前に書き込み、</strong>読み戻して確かめる。activateの後で保存に失敗した端末は、次の起動でもう1つ枠を使います。</li>
<li><strong>できるだけアンインストール時にdeactivateする。</strong>そうすれば、フィンガープリントが失われても枠は減りません。</li>
</ul>
<p>サービスが保存するのは、ライセンスキーごとに鍵を付けたハッシュだけです。元の値には戻せず、同じ端末を別のライセンスの間で結び付けることもできません。
<code>device_label</code>には、ユーザーが端末を見分けられる名前を送ってください。見られるのは購入者とサービスの管理者だけです。</p>`,
};
