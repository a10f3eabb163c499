import { verdict } from '../evaluate.ts';
import type { Json } from '../json.ts';
import type { Rules } from '../rule.ts';
import { anybody, somebody, tablePolicy } from './policies.ts';

/** Every way to change items but to put one. */
const changes = ['BatchWriteItem', 'DeleteItem', 'PartiQLDelete', 'PartiQLUpdate', 'UpdateItem'];

const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SES::EmailIdentity', 'AWS::SecretsManager::Secret'];

/** What outlives deployments and mistakes. */
export const keepingRules: Rules = {
  'in production no stack can be deleted at once': ({ stage, stacks }) =>
    stacks.filter(({ terminationProtection }) => terminationProtection !== (stage === 'production')).map(({ name }) => name),

  'table, bucket, secrets and sender stay when their stack goes or they are replaced': ({ resources }) =>
    resources
      .filter(({ type }) => kept.includes(type))
      .filter(
        ({ deletionPolicy = '', updateReplacePolicy }) =>
          !/^Retain(ExceptOnCreate)?$/.test(deletionPolicy) || updateReplacePolicy !== 'Retain',
      )
      .map(({ id }) => id),

  'every replica of the table is protected from deletion, and can be restored to any second': ({ ofType }) =>
    ofType('AWS::DynamoDB::GlobalTable').flatMap(({ id, properties: { Replicas = [] } }) => {
      const safe = Replicas.filter(
        (replica: Record<string, Record<string, unknown>>) =>
          replica['DeletionProtectionEnabled'] && replica['PointInTimeRecoverySpecification']?.['PointInTimeRecoveryEnabled'],
      );
      return Replicas.length > 0 && safe.length === Replicas.length ? [] : [id];
    }),

  'nobody may change or delete an audit record in any way that can be told from writing one, whatever else allows it': async ({
    ofType,
  }) => {
    const faults = ofType('AWS::DynamoDB::GlobalTable').map(async (table) => {
      const answer = (action: string, ...keys: string[]) =>
        verdict({
          principal: somebody,
          action: `dynamodb:${action}`,
          resource: table.arn,
          context: { 'dynamodb:LeadingKeys': keys },
          identity: anybody,
          policy: tablePolicy(table),
        });
      const verdicts = changes.flatMap((action) => [
        answer(action, 'AUDIT#x').then((found) => (found === 'ExplicitlyDenied' ? [] : [`${action} of AUDIT#: ${found}`])),
        answer(action, 'ORDER#x', 'AUDIT#x').then((found) => (found === 'ExplicitlyDenied' ? [] : [`${action} of both: ${found}`])),
        answer(action, 'ORDER#x').then((found) => (found === 'Allowed' ? [] : [`${action} of ORDER#: ${found}`])),
      ]);
      return (await Promise.all(verdicts)).flat();
    });
    return (await Promise.all(faults)).flat();
  },

  'the table and each of its indexes tell which keys are throttled': ({ ofType }) =>
    ofType('AWS::DynamoDB::GlobalTable').flatMap(({ id, properties: { Replicas = [], GlobalSecondaryIndexes: indexes = [] } }) =>
      Replicas.flatMap(({ ContributorInsightsSpecification, GlobalSecondaryIndexes: specified = [] }: Json) => {
        const specifications = new Map<string, Json>([
          [id, ContributorInsightsSpecification],
          ...indexes.map(({ IndexName }: Json) => [
            IndexName,
            specified.find((one: Json) => one.IndexName === IndexName)?.ContributorInsightsSpecification,
          ]),
        ]);
        return [...specifications]
          .filter(([, specification]) => specification?.Enabled !== true || specification.Mode !== 'THROTTLED_KEYS')
          .map(([name]) => name);
      }),
    ),

  'every index holds whole items, or names what it holds of them': ({ ofType }) =>
    ofType('AWS::DynamoDB::GlobalTable').flatMap(({ properties: { GlobalSecondaryIndexes: indexes = [] } }) =>
      indexes
        .filter(({ Projection: { ProjectionType, NonKeyAttributes } }: Json) => ProjectionType !== 'ALL' && !NonKeyAttributes)
        .map(({ IndexName }: Json) => IndexName),
    ),

  'every bucket is private, encrypted and keeps versions': ({ ofType }) =>
    ofType('AWS::S3::Bucket')
      .filter(({ properties: { PublicAccessBlockConfiguration: block = {}, VersioningConfiguration, BucketEncryption } }) => {
        const isBlocked = ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'].every(
          (name) => block[name] === true,
        );
        return !isBlocked || VersioningConfiguration?.Status !== 'Enabled' || !BucketEncryption;
      })
      .map(({ id }) => id),

  'every queue is encrypted': ({ ofType }) =>
    ofType('AWS::SQS::Queue')
      .filter(({ properties }) => properties.SqsManagedSseEnabled !== true && !properties.KmsMasterKeyId)
      .map(({ id }) => id),
};
