import type { Json } from '../json.ts';
import { change, find, type Mistake } from './mistake.ts';

const findings = 'nothing contradicts the registry schemas, neither as an error nor as a warning';
const settable = 'only properties are set that the specification has, and values that it mentions';

/** What CloudFormation would refuse, and what could be deleted. */
export const formMistakes: readonly Mistake[] = [
  {
    mistake: 'a type is misspelled',
    breaks: 'every resource is of a type that exists',
    plant: (stacks) => {
      find(stacks, 'AWS::SQS::Queue').resource.Type = 'AWS::SQS::Queues';
    },
  },
  {
    mistake: 'a required property is missing',
    breaks: findings,
    plant: change('AWS::Lambda::Function', /./, (properties) => {
      delete properties.Role;
    }),
  },
  {
    mistake: 'a value is none of those that are valid',
    breaks: findings,
    plant: change('AWS::CloudWatch::Alarm', /./, (properties) => {
      properties.ComparisonOperator = 'GreaterThan';
    }),
  },
  {
    mistake: 'a log is to be kept for a time that does not exist',
    breaks: findings,
    plant: change('AWS::Logs::LogGroup', /./, (properties) => {
      properties.RetentionInDays = 91;
    }),
  },
  {
    mistake: 'a function may run longer than Lambda lets it',
    breaks: findings,
    plant: change('AWS::Lambda::Function', /^filehasher/, (properties) => {
      properties.Timeout = 1800;
    }),
  },
  {
    mistake: 'a schedule has no form of one',
    breaks: findings,
    plant: change('AWS::Events::Rule', /^Sweep/, (properties) => {
      properties.ScheduleExpression = 'rate(5 minute)';
    }),
  },
  {
    mistake: 'a resource waits for one that does not exist',
    breaks: findings,
    plant: (stacks) => {
      find(stacks, 'AWS::Lambda::Function').resource.DependsOn = ['Table'];
    },
  },
  {
    mistake: 'a property is misspelled',
    breaks: settable,
    plant: change('AWS::SQS::Queue', /^MailQueue/, (properties) => {
      properties.VisibilityTimeoutSeconds = 360;
    }),
  },
  {
    mistake: 'a property is set that only the service sets',
    breaks: settable,
    plant: change('AWS::Lambda::Function', /./, (properties) => {
      properties.Arn = 'arn:aws:lambda:eu-west-1:123456789012:function:mine';
    }),
  },
  {
    mistake: 'a value is none that the documentation mentions',
    breaks: settable,
    plant: change('AWS::ApiGatewayV2::Api', /./, (properties) => {
      properties.ProtocolType = 'HTTPS';
    }),
  },
  {
    mistake: 'an attribute is asked for that the type does not have',
    breaks: 'every reference leads to a resource, an attribute or an export that exists',
    plant: (stacks) => {
      const { id } = find(stacks, 'AWS::Lambda::Function', /^sweeper/);
      find(stacks, 'AWS::Events::Rule', /^Sweep/).resource.Properties.Targets[0].Arn = { 'Fn::GetAtt': [id, 'FunctionArn'] };
    },
  },
  {
    mistake: 'an export is imported that no stack has',
    breaks: 'every reference leads to a resource, an attribute or an export that exists',
    plant: change('AWS::Lambda::Function', /^licenses/, ({ Environment: { Variables } }) => {
      Variables.TABLE_NAME = { 'Fn::ImportValue': 'table' };
    }),
  },
  {
    mistake: 'a stack imports from one that imports from it',
    breaks: 'no stack waits for itself',
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::SQS::Queue');
      const api = stacks.find(({ name }) => name.endsWith('-api'));
      const [exported] = Object.values(api?.template.Outputs ?? {}).flatMap(({ Export }: Json) => Export?.Name ?? []);
      resource.Properties.QueueName = { 'Fn::ImportValue': exported };
    },
  },
  {
    mistake: 'two outputs have the same name',
    breaks: 'every name of an export is given once',
    plant: (stacks) => {
      const [first, second] = Object.values<Json>(find(stacks, 'AWS::SQS::Queue').stack.template.Outputs ?? {}).filter(
        ({ Export }) => Export,
      );
      second.Export = first.Export;
    },
  },
  {
    mistake: 'a stack outgrows CloudFormation',
    breaks: 'every template is within 500 resources, 200 outputs and 1 MB',
    plant: (stacks) => {
      const { template } = find(stacks, 'AWS::SQS::Queue').stack;
      for (let at = 0; at < 500; at += 1) template.Resources[`Queue${at}`] = { Type: 'AWS::SQS::Queue' };
    },
  },
  {
    mistake: 'a production stack can be deleted at once',
    breaks: 'in production no stack can be deleted at once',
    plant: (stacks) => {
      find(stacks, 'AWS::DynamoDB::GlobalTable').stack.terminationProtection = false;
    },
  },
  {
    mistake: 'the table goes with its stack',
    breaks: 'table, bucket, secrets and sender stay when their stack goes or they are replaced',
    plant: (stacks) => {
      find(stacks, 'AWS::DynamoDB::GlobalTable').resource.DeletionPolicy = 'Delete';
    },
  },
  {
    mistake: 'a replaced secret is deleted',
    breaks: 'table, bucket, secrets and sender stay when their stack goes or they are replaced',
    plant: (stacks) => {
      delete find(stacks, 'AWS::SecretsManager::Secret').resource.UpdateReplacePolicy;
    },
  },
  {
    mistake: 'the table can be deleted',
    breaks: 'every replica of the table is protected from deletion, and can be restored to any second',
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [replica] }) => {
      delete replica.DeletionProtectionEnabled;
    }),
  },
  {
    mistake: 'the table cannot be restored',
    breaks: 'every replica of the table is protected from deletion, and can be restored to any second',
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [replica] }) => {
      replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled = false;
    }),
  },
  {
    mistake: 'nobody is told which keys are throttled',
    breaks: 'the table and each of its indexes tell which keys are throttled',
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [replica] }) => {
      delete replica.ContributorInsightsSpecification;
    }),
  },
  {
    mistake: 'nobody is told which keys of an index are throttled',
    breaks: 'the table and each of its indexes tell which keys are throttled',
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [{ GlobalSecondaryIndexes }] }) => {
      GlobalSecondaryIndexes.pop();
    }),
  },
  {
    mistake: 'the bucket keeps no versions',
    breaks: 'every bucket is private, encrypted and keeps versions',
    plant: change('AWS::S3::Bucket', /./, (properties) => {
      properties.VersioningConfiguration.Status = 'Suspended';
    }),
  },
  {
    mistake: 'the bucket may be made public',
    breaks: 'every bucket is private, encrypted and keeps versions',
    plant: change('AWS::S3::Bucket', /./, ({ PublicAccessBlockConfiguration }) => {
      PublicAccessBlockConfiguration.BlockPublicPolicy = false;
    }),
  },
  {
    mistake: 'a queue is not encrypted',
    breaks: 'every queue is encrypted',
    plant: change('AWS::SQS::Queue', /^MailQueue/, (properties) => {
      delete properties.SqsManagedSseEnabled;
    }),
  },
];
