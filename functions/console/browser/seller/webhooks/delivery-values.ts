import type { EventDelivery, ReplayEventsBody } from '../../../../../build/client.ts';
import { startOf } from '../../text/days.ts';
import { texts } from './webhooks-texts.ts';

/** What is to be sent again, as the form shows it. */
export const noReplay = { since: '', event_id: '' };

/** One event, or all from the beginning of a day on, or all that are kept. The interface refuses both together. */
export function replayBody({ since, event_id }: typeof noReplay): ReplayEventsBody {
  const [from, event] = [startOf(since), event_id.trim()];
  return { ...(from !== undefined && { since: from }), ...(event !== '' && { event_id: event }) };
}

/** What came back from the last attempt, in words. */
export function answerOf({ last_error: error, last_status_code: code }: Pick<EventDelivery, 'last_error' | 'last_status_code'>): string {
  const errors: Record<string, string> = texts.errors;
  return [error && (errors[error] ?? error), code && `HTTP ${code}`].filter(Boolean).join(', ');
}

/**
 * How soon to look again, in milliseconds: soon where an attempt is due, or something was asked for a moment ago, later for
 * what is on its way; false where nothing is.
 */
export function pollEvery(
  deliveries: readonly Pick<EventDelivery, 'status' | 'next_attempt_at'>[],
  now: number,
  askedAt: number,
): number | false {
  if (now < askedAt + 15_000) return 1_000;
  const due = deliveries.filter(({ status }) => status === 'pending').map(({ next_attempt_at: at }) => (at ? Date.parse(at) : now));
  return due.length > 0 && (Math.min(...due) < now + 30_000 ? 2_000 : 10_000);
}
