import type { Json } from '../json.ts';
import { change, find, type Mistakes, set } from './mistake.ts';

const table = 'AWS::DynamoDB::GlobalTable';
const lambda = 'AWS::Lambda::Function';

/** What CloudFormation would refuse, and what could be deleted. */
export const formMistakes: Mistakes = {
  'every resource is of a type that exists': {
    'a type is misspelled': (stacks) => {
      find(stacks, 'AWS::SQS::Queue').resource.Type = 'AWS::SQS::Queues';
    },
  },
  'nothing contradicts the registry schemas, neither as an error nor as a warning': {
    'an alarm compares in a way that there is not': set('AWS::CloudWatch::Alarm', /^DeadJobs/, 'ComparisonOperator', 'GreaterThan'),
  },
  'only properties are set that the specification has, and values that it mentions': {
    'a property is misspelled': set('AWS::SQS::Queue', /^MailQueue/, 'VisibilityTimeoutSeconds', 360),
    'a property is set that only the service sets': set(lambda, /./, 'Arn', 'arn:aws:lambda:eu-west-1:123456789012:function:mine'),
    'a value is none that the documentation mentions': set('AWS::ApiGatewayV2::Api', /./, 'ProtocolType', 'HTTPS'),
  },
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
      const imported = { 'Fn::ImportValue': exportsOf(stacks, '-data')[0]?.Export.Name };
      set('AWS::CloudFront::Distribution', /./, 'DistributionConfig.Comment', imported)(stacks);
    },
  },
  'no stack waits for itself': {
    'a stack imports from one that imports from it': (stacks) =>
      set('AWS::SQS::Queue', /./, 'QueueName', { 'Fn::ImportValue': exportsOf(stacks, '-api')[0]?.Export.Name })(stacks),
  },
  'every name of an export is given once': {
    'two outputs have the same name': (stacks) => {
      const [first, second] = exportsOf(stacks, '-data');
      second.Export = first.Export;
    },
  },
  'every template is within 500 resources, 200 outputs and 1 MB': {
    'a stack outgrows CloudFormation': (stacks) => {
      const { Resources } = find(stacks, 'AWS::SQS::Queue').stack.template;
      for (let at = 0; at < 500; at += 1) Resources[`Queue${at}`] = { Type: 'AWS::SQS::Queue' };
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
  'every bucket is private, encrypted and keeps versions': {
    'the bucket keeps no versions': set('AWS::S3::Bucket', /./, 'VersioningConfiguration.Status', 'Suspended'),
    'the bucket may be made public': set('AWS::S3::Bucket', /./, 'PublicAccessBlockConfiguration.BlockPublicPolicy', false),
  },
  'every queue is encrypted': {
    'a queue is not encrypted': set('AWS::SQS::Queue', /^MailQueue/, 'SqsManagedSseEnabled'),
  },
};

const exportsOf = (stacks: Parameters<typeof find>[0], suffix: string): Json[] =>
  stacks
    .filter(({ name }) => name.endsWith(suffix))
    .flatMap(({ template }) => Object.values<Json>(template.Outputs ?? {}))
    .filter(({ Export }) => Export);
