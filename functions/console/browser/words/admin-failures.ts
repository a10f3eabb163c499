import type { FailureWords } from './failures.ts';

/** Words of what admins alone may meet. */
const en = {
  self_review_forbidden: ['You cannot decide on what is your own', 'Another admin has to.'],
  disabled_in_production: ['This is not available in production'],
  request_not_found: ['There is no such request, or it was decided'],
  reason_contains_sensitive_data: ['The reason must not hold keys, tokens or addresses', 'Take them out, then send it again.'],
  job_not_found: ['There is no such job any more', 'It is done.'],
} as const satisfies Record<string, FailureWords>;

const ja: Record<keyof typeof en, FailureWords> = {
  self_review_forbidden: ['自分のものは審査できません', 'ほかの管理者に依頼してください。'],
  disabled_in_production: ['本番環境では利用できません'],
  request_not_found: ['依頼がないか、すでに処理されています'],
  reason_contains_sensitive_data: ['理由にキー、トークン、アドレスは書けません', '取り除いて、もう一度送信してください。'],
  job_not_found: ['ジョブが見つかりません', 'すでに終わっています。'],
};

export const adminFailures: Record<string, FailureWords> = LANGUAGE === 'ja' ? ja : en;
