import { type Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { FunctionDefinition } from './bundles/find-functions.ts';
import { type OperatorSettings, secretsToSet } from './settings.ts';
import type { DataStack } from './stacks/data-stack.ts';

/**
 * What functions may do with the things their settings name, where the usual is too much or too little.
 *
 * Usual: TABLE_NAME, read and write items but never scan; the URL of a queue, send
 * to it; BUCKET_NAME, nothing, so every function that has it is named here.
 */
interface Permissions {
  table?: readonly string[];
  queues?: readonly string[];
  /** By key prefix of the bucket's objects. */
  objects?: Readonly<Record<string, readonly string[]>>;
  bucket?: readonly string[];
}

const usualTableActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];
const usualQueueActions = ['sqs:SendMessage'];

const files = 'files/';
const pictures = 'pictures/';
const read = ['s3:GetObject', 's3:GetObjectVersion'];
/** Without it the store answers 403 for an object that does not exist. */
const tellMissing = ['s3:ListBucket'];

const exceptions: Readonly<Record<string, Permissions>> = {
  health: { table: ['dynamodb:GetItem'], queues: ['sqs:GetQueueAttributes'], bucket: ['s3:ListBucket'] },
  'event-sender': { table: usualTableActions.filter((action) => action !== 'dynamodb:ConditionCheckItem') },
  'product-files': { bucket: tellMissing, objects: { [files]: [...read, 's3:PutObject'] } },
  purchases: { objects: { [files]: read } },
  admin: { objects: { [files]: read } },
  'file-hasher': {
    bucket: [...tellMissing, 's3:ListBucketVersions'],
    objects: { [files]: [...read, 's3:DeleteObjectVersion'], [pictures]: ['s3:PutObject', 's3:DeleteObjectVersion'] },
  },
  pictures: { objects: { [pictures]: read } },
  'file-scanner': { bucket: tellMissing, objects: { [files]: read } },
};

/**
 * Allows a function what its settings make it need, and nothing else.
 *
 * @throws Error when a function has the bucket but nobody said what for.
 */
export function grantSettings(role: Role, definition: FunctionDefinition, data: DataStack, operator: OperatorSettings | undefined): void {
  const { settingNames, name } = definition;
  const exception = exceptions[name] ?? {};
  const allow = (actions: readonly string[], resources: readonly string[]) => {
    if (actions.length > 0 && resources.length > 0) {
      role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
    }
  };

  if (settingNames.includes('TABLE_NAME')) {
    allow(exception.table ?? usualTableActions, [data.table.tableArn]);
    if (!exception.table) allow(['dynamodb:Query'], [`${data.table.tableArn}/index/list`, `${data.table.tableArn}/index/pending`]);
  }
  const queues = settingNames.flatMap((setting) => data.queues.get(setting)?.queue.queueArn ?? []);
  allow(exception.queues ?? usualQueueActions, queues);
  if (settingNames.includes('BUCKET_NAME')) {
    if (!exception.bucket && !exception.objects) throw new Error(`infra/permissions.ts does not say what ${name} may do with the bucket.`);
    allow(exception.bucket ?? [], [data.bucket.bucketArn]);
    for (const [prefix, actions] of Object.entries(exception.objects ?? {})) {
      allow(actions, [`${data.bucketArn}/${prefix}*`]);
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${data.bucketArnExport}/${prefix}*]`,
        reason: 'Keys of objects are made at run time; the prefix bounds them.',
      });
    }
  }
  if (settingNames.includes('MALWARE_PLAN_ARN') && data.malwareProtection) {
    allow(['guardduty:SendObjectMalwareScan'], ['*']);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The action has no resource; it works on buckets with a malware protection plan alone.',
    });
  }
  const secrets = settingNames.flatMap((setting) => data.secrets.get(setting)?.secretArn ?? []);
  allow(['secretsmanager:GetSecretValue'], secrets);
  if (settingNames.includes('SECRETS_TO_SET')) allow(['secretsmanager:DescribeSecret'], secretsToSet(data));
  const sender = settingNames.includes('MAIL_FROM') ? operator?.['MAIL_FROM'] : undefined;
  if (sender) allow(['ses:SendEmail'], identitiesOf(sender, data));
}

/** The verified identities under which mail from this address can go out: the address, and its domain. */
function identitiesOf(sender: string, stack: Stack): string[] {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return [sender, domain].map((identity) => stack.formatArn({ service: 'ses', resource: 'identity', resourceName: identity }));
}
