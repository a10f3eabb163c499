import { Validations } from 'aws-cdk-lib';
import { PolicyStatement, type PolicyStatementProps, type Role } from 'aws-cdk-lib/aws-iam';
import type { Permissions } from '../../shared/permissions.ts';
import type { FunctionDefinition } from '../bundles/find-functions.ts';
import { arnInFindings } from '../constructs/arn-in-findings.ts';
import { keysIn } from '../constructs/partition-keys.ts';
import type { OperatorSettings } from '../settings/operator-settings.ts';
import type { DataStack } from './data-stack.ts';
import { secretsToSet } from './environment.ts';

/**
 * Allows a function what its `permissions` say of the things that its settings name, and to read its own
 * secrets, request scans and send mails where its settings name these. Nothing else.
 *
 * @throws Error when a function has the table or the bucket and does not say what for, or says it without having it.
 */
export function grantSettings(role: Role, definition: FunctionDefinition, data: DataStack, operator: OperatorSettings | undefined): void {
  const { settingNames, permissions = {} } = definition;
  checkDeclaration(definition);
  grantTable(role, permissions, data.table.tableArn);
  const queues = settingNames.flatMap((setting) => data.queues.get(setting)?.queue.queueArn ?? []);
  allow(role, permissions.queues ?? ['sqs:SendMessage'], queues);
  grantBucket(role, permissions, data);
  if (settingNames.includes('MALWARE_PLAN_ARN') && data.malwareProtection) {
    allow(role, ['guardduty:SendObjectMalwareScan'], ['*']);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The action has no resource; it works on buckets with a malware protection plan alone.',
    });
  }
  const secrets = settingNames.flatMap((setting) => data.secrets.get(setting)?.secretArn ?? []);
  allow(role, ['secretsmanager:GetSecretValue'], secrets);
  if (settingNames.includes('SECRETS_TO_SET')) allow(role, ['secretsmanager:DescribeSecret'], secretsToSet(data));
  if (settingNames.includes('MAIL_FROM')) grantMail(role, data, operator);
}

function allow(
  role: Role,
  actions: readonly string[],
  resources: readonly string[],
  conditions: PolicyStatementProps['conditions'] = {},
): void {
  if (actions.length === 0 || resources.length === 0) return;
  role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }));
}

/**
 * SES checks the sender's identity and the configuration set, and in its sandbox, where each recipient is a verified
 * identity too, the recipient's. See "Taking SES into use" in functions/mail-sender/ses.md
 */
function grantMail(role: Role, data: DataStack, operator: OperatorSettings | undefined): void {
  // Empty is what the local stack fills in, as with settings.
  const sender = operator ? operator['MAIL_FROM'] : '';
  const arnOf = (resource: string, resourceName: string) => data.formatArn({ service: 'ses', resource, resourceName });
  // The identities under which mail from this address can go out: the address, and its domain.
  const identities = sender === undefined ? [] : [sender, sender.slice(sender.lastIndexOf('@') + 1)];
  const set = arnOf('configuration-set', data.mailDelivery.configurationSetName);
  allow(role, ['ses:GetAccount'], ['*']);
  allow(role, ['ses:SendEmail'], [set, ...identities.map((identity) => arnOf('identity', identity))]);
  Validations.of(role).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: 'The action has no resource.' });
  if (!sender || operator?.['STAGE'] !== 'staging') return;
  allow(role, ['ses:SendEmail'], [arnOf('identity', '*')], { StringEquals: { 'ses:FromAddress': sender } });
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${arnInFindings(data, 'ses', 'identity/*')}]`,
    reason: 'Recipients of the sandbox are not known beforehand; the condition bounds the sender.',
  });
}

/** A setting that is used for nothing is as much of a mistake as a permission that cannot be used. */
function checkDeclaration({ name, settingNames, permissions = {} }: FunctionDefinition): void {
  const { table, indexes, bucket, objects } = permissions;
  const declared = { TABLE_NAME: table ?? indexes, BUCKET_NAME: bucket ?? objects };
  for (const setting of ['TABLE_NAME', 'BUCKET_NAME'] as const) {
    const [has, says] = [settingNames.includes(setting), declared[setting] !== undefined];
    if (has === says) continue;
    throw new Error(`The permissions in functions/${name}/declaration.ts must say what for, if and only if settingNames have ${setting}.`);
  }
}

/**
 * One statement for all actions in the same partitions. An index holds nothing but its own partitions, so
 * there the resource is enough.
 */
function grantTable(role: Role, { table = {}, indexes = [] }: Permissions, tableArn: string): void {
  const byPartitions = Map.groupBy(Object.entries(table), ([, names]) => keysIn(names).join(' '));
  for (const entries of byPartitions.values()) {
    const actions = entries.map(([action]) => `dynamodb:${action}`);
    allow(role, actions, [tableArn], {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keysIn(entries[0]?.[1] ?? []) },
      // All of no keys are like these.
      Null: { 'dynamodb:LeadingKeys': 'false' },
    });
  }
  allow(
    role,
    ['dynamodb:Query'],
    indexes.map((index) => `${tableArn}/index/${index}`),
  );
}

function grantBucket(role: Role, { bucket = [], objects = {} }: Permissions, data: DataStack): void {
  allow(role, bucket, [data.bucket.bucketArn]);
  for (const [prefix, actions] of Object.entries(objects)) {
    allow(role, actions, [`${data.bucketArn}/${prefix}*`]);
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${data.bucketArnExport}/${prefix}*]`,
      reason: 'Keys of objects are made at run time; the prefix bounds them.',
    });
  }
}
