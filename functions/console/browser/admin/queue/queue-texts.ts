import { counted } from '../../words/formats.ts';

const en = {
  title: 'Queue',
  kinds: 'What waits',
  all: 'All',
  oldest: 'oldest:',
  most: (count: number) => (count >= 999 ? '999+' : String(count)),
  dead: (count: number) => `${counted(count, 'job', 'jobs')} given up`,
  late: (count: number) => `${counted(count, 'job', 'jobs')} late`,
  bounced: (count: number) => `${counted(count, 'mail', 'mails')} to buyers bounced in the last 7 days`,
  item: 'What',
  due: 'Due',
  ready: 'Can be decided',
  own: 'Your own',
  none: 'Nothing waits for a decision.',
  noneOf: 'Nothing of this kind waits for a decision.',
  showAll: 'Show everything that waits',
};

const ja: typeof en = {
  title: '審査待ち',
  kinds: '種類',
  all: 'すべて',
  oldest: '最古:',
  most: (count) => (count >= 999 ? '999件以上' : `${count}件`),
  dead: (count) => `中止されたジョブ ${count}件`,
  late: (count) => `遅延しているジョブ ${count}件`,
  bounced: (count) => `過去7日間に購入者へ届かなかったメール ${count}件`,
  item: '対象',
  due: '期限',
  ready: '審査できます',
  own: 'ご自身のもの',
  none: '審査を待っているものはありません。',
  noneOf: 'この種類で審査を待っているものはありません。',
  showAll: '審査待ちをすべて表示',
};

export const texts = LANGUAGE === 'ja' ? ja : en;
