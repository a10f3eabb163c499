import type { Task } from './paths.ts';

const en = {
  title: 'Home',
  welcome: 'Sell your software here',
  welcomeLead: 'Buyers pay online and get their license at once, and your app checks it. Six steps lead to the first sale.',
  tasks: 'Your way to sales',
  /** What to do next, on the link. */
  next: {
    apply: 'Apply to sell',
    payments: 'Set up payments',
    product: 'Create a product',
    delivery: 'Add what buyers get',
    review: 'Hand in the product',
    sale: 'Show the product',
  },
  mend: {
    apply: 'Change the application',
    payments: 'See what is needed',
    product: '',
    delivery: 'See what is wrong',
    review: 'See what is wrong',
    sale: '',
  },
  hints: {
    apply: { todo: 'Tell us who you are and what you sell.', waiting: 'Somebody reads it.', blocked: 'Your account is suspended.' },
    payments: {
      todo: 'You need not wait for our decision.',
      waiting: 'You, or the provider, have not finished.',
      blocked: 'Possible once you applied.',
    },
    product: { todo: 'Describe what you sell, and its price.', blocked: 'Possible once you applied.' },
    delivery: {
      todo: 'A file to download, or license codes.',
      waiting: 'Files are scanned, then somebody looks at them.',
      action: 'A file failed or was rejected.',
      blocked: 'Needs a product.',
    },
    review: {
      todo: 'We look at it before it is on sale.',
      waiting: 'Somebody looks at it.',
      action: 'It was rejected or suspended.',
      blocked: 'Needs a product.',
    },
    sale: { waiting: 'It can be bought: show its page to people.', blocked: 'Once a product can be bought.' },
  },
  attention: 'Needs you',
  closed: {
    rejected: 'Your application was rejected. Nothing can be sold or changed, and everything can be read.',
    suspended: 'Your account is suspended. Nothing can be bought or changed, and everything can be read.',
  },
  sales: 'Last sales',
  allSales: 'All orders',
  noSales: 'No sales yet.',
};

const ja: typeof en = {
  title: 'ホーム',
  welcome: 'ソフトウェアを販売しましょう',
  welcomeLead:
    '購入者はオンラインで支払い、すぐにライセンスを受け取ります。確認はアプリから行えます。最初の販売まで、6つのステップがあります。',
  tasks: '販売までのステップ',
  next: {
    apply: '販売を申請',
    payments: '決済を設定',
    product: '商品を作成',
    delivery: '納品物を追加',
    review: '商品を審査に提出',
    sale: '商品を見る',
  },
  mend: {
    apply: '申請を修正',
    payments: '必要な情報を確認',
    product: '',
    delivery: '問題を確認',
    review: '問題を確認',
    sale: '',
  },
  hints: {
    apply: {
      todo: '販売者と商品について教えてください。',
      waiting: '担当者が確認しています。',
      blocked: 'アカウントは利用停止中です。',
    },
    payments: {
      todo: '審査を待たずに設定できます。',
      waiting: '手続きまたは決済会社の確認が終わっていません。',
      blocked: '申請するとできるようになります。',
    },
    product: { todo: '商品の説明と価格を登録します。', blocked: '申請するとできるようになります。' },
    delivery: {
      todo: 'ダウンロード用のファイル、またはライセンスコード。',
      waiting: 'ファイルの検査の後、担当者が確認します。',
      action: 'ファイルが検査を通らないか、却下されました。',
      blocked: '商品が必要です。',
    },
    review: {
      todo: '公開の前に担当者が確認します。',
      waiting: '担当者が確認しています。',
      action: '商品が却下されたか、公開停止になりました。',
      blocked: '商品が必要です。',
    },
    sale: { waiting: '購入できる状態です。商品ページを紹介しましょう。', blocked: '商品を購入できる状態になると始まります。' },
  },
  attention: '対応が必要です',
  closed: {
    rejected: '申請が却下されました。販売や変更はできませんが、内容は閲覧できます。',
    suspended: 'アカウントは利用停止中です。販売や変更はできませんが、内容は閲覧できます。',
  },
  sales: '最近の販売',
  allSales: 'すべての注文',
  noSales: 'まだ販売はありません。',
};

export const texts = LANGUAGE === 'ja' ? ja : en;
const hints: Record<Task['id'], Partial<Record<Task['state'], string>>> = texts.hints;
/** Why a task is in its state, where that says more than the state. */
export const hintOf = ({ id, state }: Task): string | undefined => hints[id][state];
