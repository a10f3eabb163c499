import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { keysIn } from './partition-keys.ts';

/** Every way to change or delete an item but one: a put may replace a record, which no policy can tell from a new one. */
const changes = ['BatchWriteItem', 'DeleteItem', 'PartiQLDelete', 'PartiQLUpdate', 'UpdateItem'];

/**
 * The policy of a table in which nobody, whatever else allows it to, changes or deletes an audit record.
 * It denies nothing but that, so it locks nobody out of the table's management. By default it is for a template, where
 * the policy is part of the table and so cannot name it.
 */
export function protectAudit(tableArn = '*'): PolicyDocument {
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        sid: 'KeepAuditRecords',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: changes.map((action) => `dynamodb:${action}`),
        resources: [tableArn],
        // One such key among others is enough.
        conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': keysIn(['audit']) } },
      }),
    ],
  });
}
