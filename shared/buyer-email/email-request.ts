import * as z from 'zod/mini';
import { email } from '../addresses.ts';
import { idOf } from '../ids.ts';
import { dateTime, text } from '../schemas.ts';

/** Whoever waits longer for a decision asks again. */
const openDays = 30;
const openMs = openDays * 24 * 3600_000;

export const emailRequestDecisions = ['approve', 'reject'] as const;

/** What a seller asks for an order. */
export const RequestEmailCorrection = z.object({ buyerEmail: email });

/** What an admin decides on it. */
export const EmailRequestDecision = z.object({ decision: z.enum(emailRequestDecisions), note: z.optional(text(5000)) });
export type EmailRequestDecision = z.infer<typeof EmailRequestDecision>;

/** That the seller asked for another address of an order. The address is kept, encrypted, until it is decided on. */
export const EmailRequestRecord = z.object({
  orderId: idOf('order'),
  sellerId: idOf('seller'),
  requestedAt: dateTime,
  sealedWanted: z.optional(z.string()),
  decision: z.optional(z.enum(emailRequestDecisions)),
  ttl: z.optional(z.int()),
});
export type EmailRequestRecord = z.infer<typeof EmailRequestRecord>;
/** One that waits for its decision. */
export type OpenEmailRequest = EmailRequestRecord & { sealedWanted: string };

/** A request as its seller sees it. */
export const EmailRequestStatus = z.object({ requestedAt: dateTime, decision: z.optional(z.enum(emailRequestDecisions)) });

/** An open request as admins see it; without the present address where none is known. */
export const EmailRequest = z.object({
  orderId: idOf('order'),
  sellerId: idOf('seller'),
  requestedAt: dateTime,
  currentMasked: z.optional(z.string()),
  wantedMasked: z.string(),
});
export type EmailRequest = z.infer<typeof EmailRequest>;

/** In seconds since 1970. */
export const emailRequestTtl = (requestedAt: Date) => Math.floor((requestedAt.getTime() + openMs) / 1000);

const isOld = ({ requestedAt }: EmailRequestRecord, now: Date) => now.getTime() - Date.parse(requestedAt) >= openMs;

/** What there still is of a request: of one that nobody decided on, nothing after 30 days. */
export const unlessExpired = (request: EmailRequestRecord, now: Date): EmailRequestRecord | undefined =>
  request.decision === undefined && isOld(request, now) ? undefined : request;

export const isOpen = (request: EmailRequestRecord, now: Date): request is OpenEmailRequest =>
  request.sealedWanted !== undefined && !isOld(request, now);
