import { change, find, type Mistakes, set } from './mistake.ts';

const table = 'AWS::DynamoDB::GlobalTable';
const lambda = 'AWS::Lambda::Function';

/** What CloudFormation would refuse, and what could be deleted. */
export const formMistakes: Mistakes = {
  'every reference leads to a resource, an attribute or an export that exists': {
    'an attribute is asked for that the type does not have': (stacks) => {
      const { id } = find(stacks, lambda, /^sweeper/);
      set('AWS::Events::Rule', /^Sweep/, 'Targets.0.Arn', { 'Fn::GetAtt': [id, 'FunctionArn'] })(stacks);
    },
    'an export is imported that no stack has': set(lambda, /^licenses/, 'Environment.Variables.TABLE_NAME', { 'Fn::ImportValue': 'table' }),
    'a property depends on a condition that does not exist': (stacks) => {
      delete find(stacks, 'AWS::SecretsManager::Secret', /^ORIGIN/).stack.template.Conditions;
    },
    'the alias record of the CDN looks in a map that is not there': (stacks) => {
      delete find(stacks, 'AWS::Route53::RecordSet').stack.template.Mappings;
    },
    'a stack of one Region imports from another': (stacks) => {
      const { Outputs = {} } = find(stacks, table).stack.template;
      const imported = { 'Fn::ImportValue': Object.values(Outputs).find(({ Export }) => Export).Export.Name };
      set('AWS::CloudFront::Distribution', /./, 'DistributionConfig.Comment', imported)(stacks);
    },
  },
  'in production no stack can be deleted at once': {
    'a production stack can be deleted at once': (stacks) => {
      find(stacks, table).stack.terminationProtection = false;
    },
  },
  'table, bucket, secrets and sender stay when their stack goes or they are replaced': {
    'the table goes with its stack': (stacks) => {
      find(stacks, table).resource.DeletionPolicy = 'Delete';
    },
    'a replaced secret is deleted': (stacks) => {
      delete find(stacks, 'AWS::SecretsManager::Secret').resource.UpdateReplacePolicy;
    },
    'the verified sender goes with its stack': (stacks) => {
      find(stacks, 'AWS::SES::EmailIdentity').resource.DeletionPolicy = 'Delete';
    },
  },
  'every replica of the table is protected from deletion, and can be restored to any second': {
    'the table can be deleted': set(table, /./, 'Replicas.0.DeletionProtectionEnabled'),
    'the table cannot be restored': set(table, /./, 'Replicas.0.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled', false),
  },
  'the table and each of its indexes tell which keys are throttled': {
    'nobody is told which keys are throttled': set(table, /./, 'Replicas.0.ContributorInsightsSpecification'),
    'nobody is told which keys of an index are throttled': change(table, /./, ({ Replicas: [{ GlobalSecondaryIndexes }] }) =>
      GlobalSecondaryIndexes.pop(),
    ),
  },
  'every index holds whole items, or names what it holds of them': {
    'an index holds keys alone': set(table, /./, 'GlobalSecondaryIndexes.0.Projection.ProjectionType', 'KEYS_ONLY'),
  },
  'every bucket is private, encrypted and keeps versions': {
    'the bucket keeps no versions': set('AWS::S3::Bucket', /./, 'VersioningConfiguration.Status', 'Suspended'),
    'the bucket may be made public': set('AWS::S3::Bucket', /./, 'PublicAccessBlockConfiguration.BlockPublicPolicy', false),
  },
  'every queue is encrypted': {
    'a queue is not encrypted': set('AWS::SQS::Queue', /^MailQueue/, 'SqsManagedSseEnabled'),
  },
};
