import type { Json } from '../identifiers.ts';
import { change, find, type Rules, set } from '../mistake.ts';
import type { Resource } from '../service.ts';

const table = 'AWS::DynamoDB::GlobalTable';
const secret = 'AWS::SecretsManager::Secret';
const kept = [table, 'AWS::S3::Bucket', 'AWS::SES::EmailIdentity', secret];

/** A first deployment that fails leaves what it made where that is kept: a second could not make another of the same name. */
function isKept({ type, properties, deletionPolicy = '', updateReplacePolicy }: Resource): boolean {
  const policies = properties.Name === undefined && type !== 'AWS::SES::EmailIdentity' ? /^Retain/ : /^RetainExceptOnCreate$/;
  // A table that is protected from deletion would be stuck.
  return (type === table ? /^Retain$/ : policies).test(deletionPolicy) && updateReplacePolicy === 'Retain';
}

/** What outlives deployments and mistakes, and what is told of it. */
export const keepingRules: Rules = {
  'in production no stack can be deleted at once': {
    faults: ({ stage, stacks }) =>
      stacks.filter(({ terminationProtection }) => terminationProtection !== (stage === 'production')).map(({ name }) => name),
    mistakes: {
      'a production stack can be deleted at once': (stacks) => {
        find(stacks, table).stack.terminationProtection = false;
      },
    },
  },

  'table, bucket, secrets and sender stay when their stack goes or they are replaced, but not where the first deployment failed': {
    faults: ({ resources }) => resources.filter((resource) => kept.includes(resource.type) && !isKept(resource)).map(({ id }) => id),
    mistakes: {
      'the table goes with its stack': (stacks) => {
        find(stacks, table).resource.DeletionPolicy = 'Delete';
      },
      'a replaced secret is deleted': (stacks) => {
        delete find(stacks, secret).resource.UpdateReplacePolicy;
      },
      'the second deployment finds the secrets of the first': (stacks) => {
        find(stacks, secret).resource.DeletionPolicy = 'Retain';
      },
    },
  },

  'the table is protected from deletion, can be restored to any second, and tells which of its keys and those of whole indexes are throttled':
    {
      faults: ({ ofType }) =>
        ofType(table).flatMap(({ properties: { Replicas, GlobalSecondaryIndexes: indexes } }) =>
          Replicas.flatMap(
            ({
              DeletionProtectionEnabled,
              PointInTimeRecoverySpecification,
              ContributorInsightsSpecification,
              GlobalSecondaryIndexes,
            }: Json) => {
              const isTold = (specification: Json) => specification?.Enabled === true && specification.Mode === 'THROTTLED_KEYS';
              const isWhole = ({ IndexName, Projection: { ProjectionType, NonKeyAttributes } }: Json) =>
                (ProjectionType === 'ALL' || NonKeyAttributes) &&
                isTold(GlobalSecondaryIndexes.find((each: Json) => each.IndexName === IndexName)?.ContributorInsightsSpecification);
              return [
                ...(DeletionProtectionEnabled && PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled ? [] : ['the table']),
                ...(isTold(ContributorInsightsSpecification) ? [] : ['its keys']),
                ...indexes.filter((index: Json) => !isWhole(index)).map(({ IndexName }: Json) => IndexName),
              ];
            },
          ),
        ),
      mistakes: {
        'the table can be deleted': set(table, /./, 'Replicas.0.DeletionProtectionEnabled'),
        'the table cannot be restored': set(table, /./, 'Replicas.0.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled', false),
        'nobody is told which keys are throttled': set(table, /./, 'Replicas.0.ContributorInsightsSpecification'),
        'nobody is told which keys of an index are throttled': change(table, /./, ({ Replicas: [{ GlobalSecondaryIndexes }] }) =>
          GlobalSecondaryIndexes.pop(),
        ),
        'an index holds keys alone': set(table, /./, 'GlobalSecondaryIndexes.0.Projection.ProjectionType', 'KEYS_ONLY'),
      },
    },

  'the bucket keeps versions, and bucket and queues are encrypted': {
    faults: ({ ofType }) => [
      ...ofType('AWS::S3::Bucket')
        .filter(({ properties }) => properties.VersioningConfiguration?.Status !== 'Enabled' || !properties.BucketEncryption)
        .map(({ id }) => id),
      ...ofType('AWS::SQS::Queue')
        .filter(({ properties }) => properties.SqsManagedSseEnabled !== true)
        .map(({ id }) => id),
    ],
    mistakes: {
      'the bucket keeps no versions': set('AWS::S3::Bucket', /./, 'VersioningConfiguration.Status', 'Suspended'),
      'a queue is not encrypted': set('AWS::SQS::Queue', /^MailQueue/, 'SqsManagedSseEnabled'),
    },
  },

  'every log is kept for a month or more, and not for ever': {
    faults: ({ ofType }) =>
      ofType('AWS::Logs::LogGroup')
        .filter(({ properties: { RetentionInDays } }) => !(RetentionInDays >= 30))
        .map(({ id }) => id),
    mistakes: {
      'a log is kept for ever': set('AWS::Logs::LogGroup', /^admin/, 'RetentionInDays'),
      'logs of functions are kept for a day': set('AWS::Logs::LogGroup', /^eventsender/, 'RetentionInDays', 1),
    },
  },
};
