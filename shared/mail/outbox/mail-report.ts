import * as z from 'zod/mini';
import { dateTime } from '../../schemas.ts';

/** What the mail service reported about a mail that it accepted. */
export const MailReport = z.object({
  /**
   * `suppressed`: the mail service did not even try, since an earlier mail to the address bounced or was complained about.
   * `rejected`: it found malware in the mail.
   */
  outcome: z.enum(['delayed', 'bounced', 'rejected', 'suppressed', 'complained']),
  /** Of a bounce. After a permanent one the mail service suppresses the address. */
  bounce: z.optional(z.enum(['permanent', 'transient'])),
  at: dateTime,
});
export type MailReport = z.infer<typeof MailReport>;

/** In increasing severity; a mail may be reported on repeatedly. */
const gravity = ['delayed', 'bounced transient', 'rejected', 'suppressed', 'bounced permanent', 'complained'];
const gravityOf = ({ outcome, bounce }: MailReport) => gravity.indexOf(outcome === 'bounced' ? `bounced ${bounce}` : outcome);

/** What is known of a mail after one more report: the gravest, and of the same the latest, in whatever order they come; `known` itself if that adds nothing. */
export function mergeReport(known: MailReport | undefined, report: MailReport): MailReport {
  if (known === undefined) return report;
  const [before, next] = [gravityOf(known), gravityOf(report)];
  if (before !== next) return next > before ? report : known;
  return report.at > known.at ? report : known;
}
