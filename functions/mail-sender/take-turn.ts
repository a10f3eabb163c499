import type { Needs } from '../../shared/context.ts';
import { maxDelaySeconds, ThrottledJobError } from '../../shared/jobs/job.ts';
import { type NewMailing, takeMailTurn } from '../../shared/mail/outbox/mail-count-repository.ts';

/**
 * Counts a mail that is free to whoever caused it, if its turn at its address has come; else whether it is refused, or
 * replaced by a later one.
 *
 * @throws ThrottledJobError while the address has its mails of this hour
 */
export async function takeTurn(c: Needs<'table' | 'now'>, mail: NewMailing, about: string): Promise<'now' | 'refused' | 'replaced'> {
  const next = await takeMailTurn(c, mail, about);
  if (next.turn === 'later') throw new ThrottledJobError('mail_address', Math.min(next.waitSeconds, maxDelaySeconds));
  return next.turn;
}
