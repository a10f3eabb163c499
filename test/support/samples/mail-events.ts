import { randomUUID } from 'node:crypto';

const names = {
  Bounce: 'Email Bounced',
  Complaint: 'Email Complaint Received',
  Reject: 'Email Rejected',
  DeliveryDelay: 'Email Delivery Delayed',
  Delivery: 'Email Delivered',
};

/** An event as SES puts it on the bus, with the addresses that it is full of. */
export function mailEvent({
  type,
  set,
  tags,
  at = '2026-11-22T09:00:00Z',
  bounce: [bounceType, bounceSubType] = ['Permanent', 'General'],
}: {
  type: keyof typeof names;
  set: string;
  tags: Record<string, string>;
  at?: string;
  bounce?: [type: string, subType: string];
}) {
  const to = 'buyer@example.com';
  const told = {
    Bounce: {
      bounce: {
        feedbackId: '010001',
        bounceType,
        bounceSubType,
        bouncedRecipients: [{ emailAddress: to, action: 'failed', status: '5.1.1', diagnosticCode: `smtp; 550 5.1.1 <${to}> unknown` }],
        timestamp: '2026-11-22T09:00:00.123Z',
        reportingMTA: 'dsn; a1-23.smtp-out.amazonses.com',
      },
    },
    Complaint: { complaint: { feedbackId: '010002', complaintSubType: null, complainedRecipients: [{ emailAddress: to }], timestamp: at } },
    Reject: { reject: { reason: 'Bad content' } },
    DeliveryDelay: {
      deliveryDelay: { delayType: 'MailboxFull', timestamp: at, delayedRecipients: [{ emailAddress: to, status: '4.2.2' }] },
    },
    Delivery: { delivery: { recipients: [to], timestamp: at } },
  }[type];
  return {
    version: '0',
    id: randomUUID(),
    account: '111122223333',
    region: 'us-east-1',
    time: at,
    source: 'aws.ses',
    'detail-type': names[type],
    resources: [`arn:aws:ses:us-east-1:111122223333:configuration-set/${set}`],
    detail: {
      eventType: type,
      ...told,
      mail: {
        timestamp: '2026-11-22T08:59:58.000Z',
        source: 'licenses@example.com',
        sourceArn: 'arn:aws:ses:us-east-1:111122223333:identity/example.com',
        sendingAccountId: '111122223333',
        messageId: '0100019a-0000-0000',
        destination: [to],
        headersTruncated: false,
        headers: [{ name: 'To', value: to }],
        commonHeaders: { from: ['licenses@example.com'], to: [to], messageId: '0100019a-0000-0000', subject: 'Your purchase' },
        tags: {
          'ses:configuration-set': [set],
          'ses:from-domain': ['example.com'],
          'ses:caller-identity': ['mail-sender'],
          ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]])),
        },
      },
    },
  };
}
