import type { MarkKind } from './marked-text.ts';

const en = {
  marks: {
    direction: 'turns the direction of reading',
    line: 'line break',
    control: 'control character',
    invisible: 'invisible character',
    private: 'character without a meaning',
    unassigned: 'unknown character',
    broken: 'broken character',
    stacked: 'piled-up accents',
  } satisfies Record<MarkKind, string>,
  mixed: 'mixes letters of several scripts',
  foreign: 'The host has letters of other scripts',
  newTab: 'opens in a new tab',
  added: 'added:',
  removed: 'removed:',
  none: 'Empty',
  yes: 'Yes',
  no: 'No',
};

const ja: typeof en = {
  marks: {
    direction: '文字の並ぶ向きを変える文字',
    line: '改行',
    control: '制御文字',
    invisible: '見えない文字',
    private: '意味の決まっていない文字',
    unassigned: '不明な文字',
    broken: '壊れた文字',
    stacked: '重なった記号',
  },
  mixed: '異なる文字体系が混ざっています',
  foreign: 'ホスト名に英数字以外の文字があります',
  newTab: '新しいタブで開きます',
  added: '追加:',
  removed: '削除:',
  none: '空欄',
  yes: 'はい',
  no: 'いいえ',
};

export const texts = LANGUAGE === 'ja' ? ja : en;
