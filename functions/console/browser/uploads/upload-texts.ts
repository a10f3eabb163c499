import { notDone } from '../words/not-done.ts';
import type { UploadState } from './upload-state.ts';

const en = {
  title: 'Uploads',
  states: {
    hashing: 'Reading the file (step 1 of 2)',
    sending: 'Sending (step 2 of 2)',
    paused: 'Paused',
    waiting: 'Waiting; it goes on by itself',
    finishing: 'Putting the parts together',
    done: 'Uploaded; it is checked now',
    failed: 'Stopped',
    elsewhere: 'Another tab is uploading this file',
  } satisfies Record<UploadState, string>,
  half: 'Half sent',
  signIn: 'You are signed out. Sign in again, then choose the same file: what has been sent stays.',
  kept: 'What has been sent stays for a day.',
  of: (done: string, all: string) => `${done} of ${all}`,
  perSecond: (size: string) => `${size}/s`,
  left: (time: string) => `${time} left`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  minutes: (minutes: number) => `${minutes} min`,
  seconds: (seconds: number) => `${seconds} s`,
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Try again',
  cancel: 'Cancel',
  notUploaded: notDone('The file was not uploaded.'),
  notCancelled: notDone('The upload was not cancelled.'),
  dismiss: 'Hide',
};

const ja: typeof en = {
  title: 'アップロード',
  states: {
    hashing: 'ファイルを読み取り中（1/2）',
    sending: '送信中（2/2）',
    paused: '一時停止中',
    waiting: '待機中（自動で再開します）',
    finishing: '仕上げ中',
    done: 'アップロード完了（これから検査します）',
    failed: '停止',
    elsewhere: '別のタブでこのファイルをアップロード中',
  },
  half: '半分まで送信しました',
  signIn: 'サインアウトしています。サインインして同じファイルを選び直すと、送信済みの続きから再開します。',
  kept: '送信済みの分は1日保存されます。',
  of: (done, all) => `${done} / ${all}`,
  perSecond: (size) => `${size}/秒`,
  left: (time) => `残り${time}`,
  hours: (hours, minutes) => `${hours}時間${minutes}分`,
  minutes: (minutes) => `${minutes}分`,
  seconds: (seconds) => `${seconds}秒`,
  pause: '一時停止',
  resume: '再開',
  retry: '再試行',
  cancel: '中止',
  notUploaded: 'ファイルはアップロードされませんでした。',
  notCancelled: 'アップロードは中止されませんでした。',
  dismiss: '閉じる',
};

export const texts = LANGUAGE === 'ja' ? ja : en;
