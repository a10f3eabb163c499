import { SESv2ServiceException } from '@aws-sdk/client-sesv2';
import { FailedJobError, ThrottledJobError } from '../../jobs/job.ts';

/** The mail service will never take this mail to this address; `reason` says why, and nothing of the address. */
export class UndeliverableMailError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The mail cannot be delivered: ${reason}.`);
    this.name = 'UndeliverableMailError';
    this.reason = reason;
  }
}

/** What jobs show as their last failure. See "The meaning of a dead job" in shared/jobs/dead-jobs.md */
const refusals: Readonly<Record<string, () => FailedJobError>> = {
  MessageRejected: () => new FailedJobError('mail_rejected'),
  BadRequestException: () => new FailedJobError('mail_malformed'),
  MailFromDomainNotVerifiedException: () => new FailedJobError('mail_sender_unverified'),
  NotFoundException: () => new FailedJobError('mail_configuration_unknown'),
};

/** Seconds, between these two: mails that were refused together do not come again together. */
const delays = { rate: [5, 30], quota: [300, 900] } as const;

/**
 * What a failed call of the mail service means for the job. None of its messages is kept, since they name addresses.
 * See "When the mail service says no" in functions/mail-sender/README.md
 */
export function jobErrorOf(error: unknown, to: string, random: () => number = Math.random): unknown {
  if (!(error instanceof SESv2ServiceException)) return error;
  const throttled = (reason: string, [least, most]: readonly [number, number]) =>
    new ThrottledJobError(reason, Math.ceil(least + random() * (most - least)));
  const { name, message, $metadata } = error;
  if (name === 'SendingPausedException' || name === 'AccountSuspendedException') return throttled('mail_paused', delays.quota);
  if (name === 'LimitExceededException') return throttled('mail_quota', delays.quota);
  if (name === 'TooManyRequestsException' || name.startsWith('Throttling') || $metadata.httpStatusCode === 429)
    return /daily/i.test(message) ? throttled('mail_quota', delays.quota) : throttled('mail_rate', delays.rate);
  if (name === 'MessageRejected' && /not verified/i.test(message))
    return namesAddress(message, to) ? new UndeliverableMailError('recipient_unverified') : new FailedJobError('mail_sender_unverified');
  if (name === 'BadRequestException' && /address|domain/i.test(message)) return new UndeliverableMailError('address_refused');
  return refusals[name]?.() ?? error;
}

/** Whether the address is one of the identities at the end of the message. */
function namesAddress(message: string, to: string): boolean {
  const identities = message.slice(message.lastIndexOf(': ') + 1).split(/[\s,<>]+/);
  return identities.some((identity) => identity.toLowerCase() === to.toLowerCase());
}
