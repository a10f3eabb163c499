import type { TokenScope } from '../../../../shared/audit/caller.ts';
import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { sample } from '../languages.ts';
import { codeBlock, wordTable } from '../section.ts';

/** How a token is made. */
export const token = `{
  "name": "GitHub Actions",
  "scopes": ["releases:read", "releases:write"],
  "product_ids": ["prd_01KG9T3W6P9RA5Y8S4C7E1G2JK"],
  "expires_in_days": 180
}`;

const release = `{
  "critical": false,
  "artifacts": [
    {
      "file": "dist/photo-studio.dmg", "platform": "macos", "arch": "any",
      "feeds": ["appcast"], "build": "120", "minimum_os": "13.0", "ed25519_signature": "…"
    },
    { "file": "dist/photo-studio-setup.exe", "platform": "windows", "arch": "x64" },
    { "file": "dist/photo-studio.AppImage", "platform": "linux", "arch": "x64" }
  ]
}`;

/** What a repository needs to hand in its releases: the files to copy, and one that its build writes. */
export const ciSamples: Html = html`${codeBlock(
  'sh',
  `mkdir -p .github/workflows
curl -fsS -o .github/release.sh https://api.example.com/clients/release.sh
curl -fsS -o .github/workflows/release.yml https://api.example.com/clients/release.yml
echo '*.sh text eol=lf' >> .gitattributes`,
)}
${codeBlock('.github/workflows/release.yml', sample('release.yml'))}
${codeBlock('release.json', release)}
<details class="language">
<summary><code>release.sh</code></summary>
${codeBlock('.github/release.sh', sample('release.sh'))}
</details>`;

const scopes: Readonly<Record<Locale, { label: string; headings: readonly string[]; words: Readonly<Record<TokenScope, string>> }>> = {
  en: {
    label: 'What each scope opens',
    headings: ['Scope', 'Opens'],
    words: {
      'releases:read': 'Reading releases and the list of files.',
      'releases:write': 'Making, editing, deleting, submitting and withdrawing releases, and uploading their files.',
      'releases:publish': 'Publishing and yanking, and drafts that publish themselves once they are approved.',
      'products:read': 'Reading products, their files, code batches, stock and discounts.',
      'products:write':
        'Making and changing products, handing them in, taking them off sale, and uploading and withdrawing files of every purpose.',
      'discounts:write': 'Making and ending discounts.',
      'codes:write': 'Importing license codes.',
      'orders:read': 'Reading and searching orders, and their history.',
      'orders:write': 'Resending links, asking for another address, freeing seats, and suspending, reinstating and changing licenses.',
      'test-keys:write': 'Making, listing and ending test keys.',
      'endpoints:write': 'Everything about webhook endpoints. Not of a token for some products.',
      'numbers:read': 'Sales figures and exports. This version serves none yet.',
    },
  },
  ja: {
    label: 'スコープでできること',
    headings: ['スコープ', 'できること'],
    words: {
      'releases:read': 'リリースとファイルの一覧の取得。',
      'releases:write': 'リリースの作成、編集、削除、提出、取り下げと、そのファイルのアップロード。',
      'releases:publish': '公開と公開の取り消し、承認と同時に公開される下書き。',
      'products:read': '商品と、そのファイル、コードの取り込み、在庫、割引の取得。',
      'products:write': '商品の作成、変更、審査の依頼、販売の停止と、あらゆる用途のファイルのアップロードと取り下げ。',
      'discounts:write': '割引の作成と終了。',
      'codes:write': 'ライセンスコードの取り込み。',
      'orders:read': '注文とその履歴の取得、注文の検索。',
      'orders:write': 'リンクの再送、アドレス変更の依頼、枠の解放、ライセンスの一時停止と再開、変更。',
      'test-keys:write': 'テスト用のキーの作成、一覧の取得、終了。',
      'endpoints:write': 'Webhookの通知先に関するすべて。商品を限ったトークンには付けられない。',
      'numbers:read': '売上の集計と書き出し。このバージョンではまだ提供していない。',
    },
  },
};

/** What each scope of a token opens. */
export function tokenScopes(locale: Locale): Html {
  const { label, headings, words } = scopes[locale];
  return wordTable(label, headings, Object.entries(words));
}
