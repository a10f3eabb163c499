import { notDone } from '../../words/not-done.ts';

const en = {
  title: 'Jobs',
  about: {
    dead: 'Given up after a day of attempts, or at once where no attempt could help. Nothing more happens by itself.',
    late: 'Due for more than ten minutes and not begun. They are begun as soon as there is room.',
  },
  none: { dead: 'Nothing was given up.', late: 'Nothing is late.' },
  job: 'Job',
  of: 'Of what',
  attempts: 'Attempts',
  failure: 'Why it failed',
  unknown: 'It was not begun.',
  created: 'Since',
  due: 'Due',
  redrive: 'Do it now',
  redriveOf: (job: string) => `Do it now: ${job}`,
  redriven: (job: string) => `${job}: it is done now, with all its attempts before it. If it fails again it comes back to this list.`,
  notRedriven: (job: string) => notDone(`${job}: it was not started again.`),
};

const ja: typeof en = {
  title: 'ジョブ',
  about: {
    dead: '1日試みても終わらなかったか、試みても無駄なため中止した処理です。自動では再開しません。',
    late: '期限を10分以上過ぎても始まっていない処理です。順番が来しだい始まります。',
  },
  none: { dead: '中止したジョブはありません。', late: '遅延しているジョブはありません。' },
  job: 'ジョブ',
  of: '対象',
  attempts: '試行回数',
  failure: '失敗の理由',
  unknown: 'まだ開始されていません。',
  created: '作成',
  due: '期限',
  redrive: '今すぐ実行',
  redriveOf: (job) => `今すぐ実行: ${job}`,
  redriven: (job) => `${job}を今すぐ実行します。試行回数は最初から数え直します。再び失敗した場合は、この一覧に戻ります。`,
  notRedriven: (job) => `${job}を開始できませんでした。`,
};

export const texts = LANGUAGE === 'ja' ? ja : en;
