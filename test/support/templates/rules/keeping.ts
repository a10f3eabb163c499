import type { Rules } from '../rule.ts';

const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'];

/** What outlives deployments and mistakes. */
export const keepingRules: Rules = {
  'in production no stack can be deleted at once': ({ stage, stacks }) =>
    stacks.filter(({ terminationProtection }) => terminationProtection !== (stage === 'production')).map(({ name }) => name),

  'table, bucket and secrets stay when their stack goes or they are replaced': ({ resources }) =>
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
