const en = {
  waits: (seconds: number) => `It is tried again in ${seconds} s.`,
  requestNumber: 'Request number',
  kept: 'What you typed is kept.',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  more: 'Show more',
  all: 'All',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Select it and copy it by hand.',
  secretOnce: 'It is shown this once: keep it in a safe place now.',
  done: 'Done',
  wasDone: (label: string) => `${label}: done`,
};

const ja: typeof en = {
  waits: (seconds) => `${seconds}秒後に自動でもう一度試します。`,
  requestNumber: 'リクエスト番号',
  kept: '入力した内容は残っています。',
  tryAgain: 'もう一度試す',
  cancel: 'キャンセル',
  more: 'さらに表示',
  all: 'すべて',
  copy: 'コピー',
  copied: 'コピーしました',
  notCopied: '選択して手動でコピーしてください。',
  secretOnce: '表示されるのは今回だけです。安全な場所に保管してください。',
  done: '完了',
  wasDone: (label) => `${label}: 完了しました`,
};

export const texts = LANGUAGE === 'ja' ? ja : en;
