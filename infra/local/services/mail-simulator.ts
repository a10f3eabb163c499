import type { ServiceEvent } from '../lambda/event-bus.ts';
import { addressOf, type SendEmail } from './mail-requests.ts';

const domain = 'simulator.amazonses.com';

/** Whether the address is one of the mailbox simulator of SES; what follows a plus sign in it tells nothing. */
export const isSimulator = (address: string) => address.toLowerCase().endsWith(`@${domain}`);

/** What each of its addresses has SES tell: the type in a configuration set, the name on the bus, and what is told. */
const scenarios: Readonly<Record<string, (address: string, at: string) => { type: string; name: string; told: Record<string, unknown> }>> =
  {
    bounce: (address, at) => bounced(address, at, 'General', 'smtp; 550 5.1.1 user unknown'),
    suppressionlist: (address, at) => bounced(address, at, 'Suppressed', 'Amazon SES has suppressed sending to this address'),
    complaint: (address, at) => ({
      type: 'complaint',
      name: 'Email Complaint Received',
      told: {
        eventType: 'Complaint',
        complaint: {
          complainedRecipients: [{ emailAddress: address }],
          timestamp: at,
          feedbackId: 'local',
          complaintSubType: null,
          complaintFeedbackType: 'abuse',
        },
      },
    }),
  };

function bounced(address: string, at: string, bounceSubType: string, diagnosticCode: string) {
  const bouncedRecipients = [{ emailAddress: address, action: 'failed', status: '5.1.1', diagnosticCode }];
  const bounce = {
    bounceType: 'Permanent',
    bounceSubType,
    bouncedRecipients,
    timestamp: at,
    feedbackId: 'local',
    reportingMTA: 'dns; local',
  };
  return { type: 'bounce', name: 'Email Bounced', told: { eventType: 'Bounce', bounce } };
}

/** The events of a mail to addresses of the simulator, of the types that its configuration set tells. */
export function simulatedEvents(
  email: SendEmail,
  { messageId, at, types }: { messageId: string; at: Date; types: ReadonlySet<string> },
): ServiceEvent[] {
  const { Destination, EmailTags = [], ConfigurationSetName = '', FromEmailAddress } = email;
  const timestamp = at.toISOString();
  const tags = Object.fromEntries([
    ['ses:configuration-set', [ConfigurationSetName]],
    ...EmailTags.map(({ Name, Value }) => [Name, [Value]]),
  ]);
  const mail = { timestamp, source: addressOf(FromEmailAddress), messageId, destination: Destination.ToAddresses, tags };
  return Destination.ToAddresses.map(addressOf)
    .filter(isSimulator)
    .flatMap((address) => {
      const scenario = scenarios[address.replace(/[+@].*$/, '')]?.(address, timestamp);
      if (!scenario || !types.has(scenario.type)) return [];
      const resources = [`arn:aws:ses:us-east-1:000000000000:configuration-set/${ConfigurationSetName}`];
      return [{ source: 'aws.ses', 'detail-type': scenario.name, resources, detail: { ...scenario.told, mail } }];
    });
}
