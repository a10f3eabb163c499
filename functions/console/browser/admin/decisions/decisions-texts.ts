import { notDone } from '../../words/not-done.ts';

const en = {
  nothingLeft: 'Nothing else can be decided now.',
  title: 'Decision',
  own: 'This is your own, or that of an account of yours: another admin has to decide on it.',
  none: 'There is nothing to decide in this state.',
  notDecided: notDone('The decision was not recorded.'),
  changed: 'It changed while you looked: what you see is newer than what you opened.',
  seen: 'I have seen it',
  download: 'Download',
  downloadOf: (name: string) => `Download ${name}`,
  notDownloaded: notDone('The file could not be downloaded.'),
  careful: 'Open what you download where malware does no harm.',
  hash: 'Hash',
  scan: 'Scan',
  trusted: (source: string) => `vouched for: ${source}`,
  note: 'Note for the audit log',
  noteHint: 'Only admins read it.',
};

const ja: typeof en = {
  nothingLeft: 'ほかに審査できるものはありません。',
  title: '審査',
  own: 'ご自身に関するものは審査できません。ほかの管理者に依頼してください。',
  none: '現在の状態で行う審査はありません。',
  notDecided: '審査結果は登録されませんでした。',
  changed: '表示中に内容が変わりました。現在の内容は、最初に開いたときより新しいものです。',
  seen: '確認しました',
  download: 'ダウンロード',
  downloadOf: (name) => `${name} をダウンロード`,
  notDownloaded: 'ファイルをダウンロードできませんでした。',
  careful: 'ダウンロードしたファイルは、マルウェアの影響が及ばない環境で開いてください。',
  hash: 'ハッシュ',
  scan: '検査',
  trusted: (source) => `安全の確認: ${source}`,
  note: '監査記録へのメモ',
  noteHint: '管理者だけが読めます。',
};

export const texts = LANGUAGE === 'ja' ? ja : en;
