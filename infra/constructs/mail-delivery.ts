import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventBus, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { issuanceMailId } from '../../shared/mail/outbox/mail.ts';
import type { MailIdentity } from '../settings/deployment.ts';
import type { JobQueue } from './job-queue.ts';

export interface MailDeliveryProps {
  /** Takes what SES reports of mails. */
  reports: JobQueue;
  /** The address that mails come from, and what of it is verified here. Only in the cloud. */
  sender?: { address: string; identity: MailIdentity } | undefined;
}

/**
 * The way of mails out and of what SES reports of them back to a queue. Of a report only the tags of the mail, its kind
 * and its time reach the queue: the addresses in it stay with SES.
 */
export class MailDelivery extends Construct {
  readonly configurationSetName: string;

  constructor(scope: Construct, id: string, { reports, sender }: MailDeliveryProps) {
    super(scope, id);
    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
      reputationMetrics: true,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.configurationSetName = configurationSet.configurationSetName;
    configurationSet.addEventDestination('Reports', {
      // SES takes no other bus than the default one.
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT, EmailSendingEvent.DELIVERY_DELAY],
    });
    this.report('Bounces', reports, ['Email Bounced'], {
      bounceType: EventField.fromPath('$.detail.bounce.bounceType'),
      bounceSubType: EventField.fromPath('$.detail.bounce.bounceSubType'),
    });
    // A path that an event does not have would make its message unreadable, so what only bounces have is not read here.
    this.report('Others', reports, ['Email Complaint Received', 'Email Rejected', 'Email Delivery Delayed']);
    if (sender) this.addIdentity(sender);
  }

  private report(id: string, { queue, deadLetters }: JobQueue, detailType: string[], more: Record<string, string> = {}): void {
    const message = RuleTargetInput.fromObject({
      type: EventField.detailType,
      time: EventField.time,
      orderId: EventField.fromPath('$.detail.mail.tags.order_id'),
      mailId: EventField.fromPath('$.detail.mail.tags.mail_id'),
      ...more,
    });
    // Other senders of the account report to the same bus, and mails without an order have no tags.
    const tags = {
      'ses:configuration-set': [this.configurationSetName],
      order_id: [{ prefix: 'ord_' }],
      mail_id: [issuanceMailId, { prefix: 'mai_' }],
    };
    new Rule(this, id, {
      description: `Brings what SES reports of mails to their worker: ${detailType.join(', ')}.`,
      eventPattern: { source: ['aws.ses'], detailType, detail: { mail: { tags } } },
      targets: [new SqsQueue(queue, { deadLetterQueue: deadLetters, message })],
    });
  }

  private addIdentity({ address, identity }: { address: string; identity: MailIdentity }): void {
    if (identity === 'existing' || address === '') return;
    const domain = address.slice(address.lastIndexOf('@') + 1);
    const made = new EmailIdentity(this, 'Identity', {
      identity: identity === 'domain' ? Identity.domain(domain) : Identity.email(address),
    });
    // Without it no mail goes out, and its DNS records would have to be set anew.
    made.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    if (identity !== 'domain') return;
    for (const [index, { name, value }] of made.dkimRecords.entries()) {
      const output = new CfnOutput(Stack.of(this), `MailDkim${index + 1}`, {
        value: `${name} CNAME ${value}`,
        description: 'A DNS record that proves the domain of MAIL_FROM to SES',
      });
      output.overrideLogicalId(`MailDkim${index + 1}`);
    }
  }
}
