import type { releases as releasesEn } from './releases-en.ts';

/** What pages say in Japanese about the releases of a product. */
export const releases: typeof releasesEn = {
  title: (product) => `${product}の更新履歴`,
  heading: '更新履歴',
  description: (product) => `${product}の各バージョンと、その変更点です。`,
  link: '更新履歴（各バージョンの変更点）',
  back: '商品ページに戻る',
  version: (version) => `バージョン ${version}`,
  critical: '重要な更新',
  channels: { rc: 'リリース候補版', beta: 'ベータ版', alpha: 'アルファ版', dev: '開発版' },
  none: '公開されたバージョンはまだありません。',
  noneSteady: '公開された正式版はまだありません。',
  noneOlder: 'これより古いバージョンはありません。',
  previews: 'プレビュー版も表示する',
  previewsText: 'プレビュー版は、正式版になる前のテスト中のバージョンです。',
  steady: '正式版だけを表示する',
  older: '古いバージョン',
  newest: '最新のバージョン',
};
