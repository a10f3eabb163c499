import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { maxDelaySeconds } from '../../shared/jobs/job.ts';
import { alarmedMessages } from '../../shared/logging/log-messages.ts';
import { addAlarms, type WatchedStacks } from './alarm.ts';
import { countOf } from './job-alarms.ts';

const mailSender = 'mail-sender';

/** Rates of the whole account, by which SES judges it; they change slowly. */
const reputation = (metricName: string) =>
  new Metric({ namespace: 'AWS/SES', metricName, statistic: 'Maximum', period: Duration.hours(1) });

/** Mails that do not arrive. SES reviews an account that has more than 5 % bounces or 0.1 % complaints. */
export function addMailAlarms(watched: WatchedStacks): void {
  addAlarms(watched, 'mail', {
    MailBounces: {
      metric: reputation('Reputation.BounceRate'),
      bound: { above: 0.04 },
      usersLose: 'Buyers do not get the link to their license, and soon no mail may go out at all.',
      firstStep:
        'Find mail_reported with bounced in the log of mail-sender: of one seller or all; compare with the reputation page of SES.',
    },
    MailComplaints: {
      metric: reputation('Reputation.ComplaintRate'),
      bound: { above: 0.0008 },
      usersLose: 'Mails to buyers are taken for spam, and soon none may go out at all.',
      firstStep: 'Find mail_reported with complained in the log of mail-sender: of one seller or all.',
    },
    ThrottledMails: {
      // A mail that is put off comes again within that delay, so a long hold shows in each period.
      metric: countOf(watched, mailSender, 'throttled-mails', alarmedMessages.throttledMails, {
        period: Duration.seconds(2 * maxDelaySeconds),
      }),
      bound: { above: 0 },
      periods: { breaching: 2, of: 2 },
      usersLose: 'Buyers wait for the mail with the link to their license.',
      firstStep:
        'Read the reason of job_throttled in the log of mail-sender: for rate and quota request a higher quota of SES; a pause SES explains in a case; for address find the free product that is taken again and again, or the seller who makes tokens.',
    },
    UndeliverableMails: {
      metric: countOf(watched, mailSender, 'undeliverable-mails', alarmedMessages.undeliverableMails),
      bound: { above: 0 },
      usersLose: 'A buyer gets no mail with the link to their license.',
      firstStep:
        'Read the reason of mail_undeliverable in the log of mail-sender: in its sandbox SES mails verified addresses alone, so leave it; a refused address has to be corrected. Then resend the links of the orders in the log.',
    },
  });
}
