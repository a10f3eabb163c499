import { type Access, AccessDeniedError } from '../../../infra/local/access/access.ts';
import { account, region } from '../../../infra/local/references.ts';

/** What arrived at the topic's local subscriber. */
export interface Notification {
  topic: string;
  subject: string;
  message: Readonly<Record<string, unknown>>;
  received_at: string;
}

const kept = 200;

export const alarmArnOf = (name: string) => `arn:aws:cloudwatch:${region}:${account}:alarm:${name}`;

/** Topics with one subscriber here, that keeps the last of what arrives. */
export function createAlarmTopics(access: Pick<Access, 'authorize'>, now: () => number) {
  const arrived: Notification[] = [];

  return {
    /** The oldest first. */
    list: (): readonly Notification[] => arrived,

    /** Publishes as CloudWatch does for an alarm; nothing arrives when the topic's policy does not let it. */
    publish(topicArn: string, alarmName: string, subject: string, message: Readonly<Record<string, unknown>>): void {
      try {
        const alarm = { service: 'cloudwatch.amazonaws.com', sourceArn: alarmArnOf(alarmName) };
        access.authorize(alarm, { action: 'sns:Publish', resource: topicArn });
      } catch (error) {
        if (error instanceof AccessDeniedError) return;
        throw error;
      }
      arrived.push({ topic: topicArn, subject, message, received_at: new Date(now()).toISOString() });
      arrived.splice(0, arrived.length - kept);
    },
  };
}
