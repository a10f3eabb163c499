import type { Locale } from '../../../shared/locale.ts';

/** The guides beside that for app authors; each has a page below /docs. */
export const guideNames = ['updates', 'sellers'] as const;
export type GuideName = (typeof guideNames)[number];

const en = {
  description: 'Sell software licenses, deliver files, and activate license keys on devices.',
  title: 'guide and reference',
  skip: 'Skip to the guide',
  version: 'Version',
  languages: 'Languages',
  contents: 'Contents',
  forAuthors: 'For app authors',
  guide: 'Guide for app authors',
  lead: 'How an app finds out whether it may run, and how it stays out of the way of people who paid.',
  guides: {
    sellers: {
      title: 'Guide for sellers',
      lead: 'From the application to the first sale, and what to do when a buyer writes to you.',
    },
    updates: {
      title: 'Guide to updates',
      lead: 'How an app gets every update that its license covers, and none that it does not.',
    },
  } satisfies Record<GuideName, object>,
  reference: 'Reference',
  /** In which language the reference is, where that is another. */
  referenceNote: '',
  withoutScript: 'The list of endpoints needs JavaScript. Everything it shows is in',
  showEndpoints: 'Show the endpoints',
  loading: 'Loading …',
  notLoaded: 'The endpoints could not be loaded. Everything they would show is in',
};

/** What surrounds the guide. */
export const pageTexts: Readonly<Record<Locale, typeof en>> = {
  en,
  ja: {
    description: 'ソフトウェアのライセンスを販売し、ファイルを届け、端末でライセンスキーを有効にします。',
    title: 'ガイドとリファレンス',
    skip: 'ガイドへ移動',
    version: 'バージョン',
    languages: '言語',
    contents: '目次',
    forAuthors: 'アプリ開発者向け',
    guide: 'アプリ開発者向けガイド',
    lead: 'アプリが実行してよいかどうかを確かめ、代金を払った人の邪魔をしないための手引きです。',
    guides: {
      sellers: { title: '販売者向けガイド', lead: '申請から最初の販売まで、そして購入者から問い合わせがあったときの手引きです。' },
      updates: { title: 'アップデートのガイド', lead: 'ライセンスの対象となるアップデートだけを、アプリに届けるための手引きです。' },
    },
    reference: 'リファレンス',
    referenceNote: 'リファレンスは英語です。',
    withoutScript: 'エンドポイントの一覧を表示するにはJavaScriptが必要です。同じ内容が次のファイルにあります：',
    showEndpoints: 'エンドポイントを表示',
    loading: '読み込んでいます…',
    notLoaded: 'エンドポイントを読み込めませんでした。同じ内容が次のファイルにあります：',
  },
};
