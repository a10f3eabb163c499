import type { Json } from '../json.ts';
import { change, find, type Mistake, remove, revoke } from './mistake.ts';

const statements = ({ PolicyDocument }: Json): Json[] => PolicyDocument.Statement;
const denying = (action: string) => (statement: Json) => statement.Effect === 'Deny' && [statement.Action].flat().includes(action);

const without = (type: string, id: RegExp, isGone: (statement: Json) => boolean) =>
  change(type, id, (properties) => {
    const left = statements(properties).filter((statement) => !isGone(statement));
    if (left.length === statements(properties).length) throw new Error(`${id} has no such statement.`);
    // A policy without statements is refused; this one says nothing.
    properties.PolicyDocument.Statement =
      left.length > 0 ? left : [{ ...statements(properties)[0], Condition: { Bool: { 'aws:SecureTransport': 'maybe' } } }];
  });

const audit = 'nobody may change or delete an audit record in any way that can be told from writing one, whatever else allows it';

/** Rights too few, too many or on the wrong thing. */
export const accessMistakes: readonly Mistake[] = [
  {
    mistake: 'a worker may not take messages off its queue',
    breaks: 'every function may take from its event sources what they hold',
    plant: revoke(/^mailsenderRole/, 'sqs:ReceiveMessage'),
  },
  {
    mistake: 'a worker may not delete what it did',
    breaks: 'every function may take from its event sources what they hold',
    plant: revoke(/^eventprojectorRole/, 'sqs:DeleteMessage'),
  },
  {
    mistake: 'the event publisher may not read the stream',
    breaks: 'every function may take from its event sources what they hold',
    plant: revoke(/^eventpublisherRole/, 'dynamodb:GetRecords'),
  },
  {
    mistake: 'orders may not send to any queue',
    breaks: 'no setting names a resource that its function may do nothing with, and no right is on one that no setting names',
    plant: revoke(/^ordersRole/, 'sqs:SendMessage'),
  },
  {
    mistake: 'the scanner may not read files',
    breaks: 'every role may make the calls that the code of its function makes',
    plant: revoke(/^filescannerRole/, 's3:GetObjectVersion'),
  },
  {
    mistake: 'the scanner may not ask GuardDuty for a scan',
    breaks: 'every role may make the calls that the code of its function makes',
    plant: revoke(/^filescannerRole/, 'guardduty:SendObjectMalwareScan'),
  },
  {
    mistake: 'the mail sender may not send mail',
    breaks: 'every role may make the calls that the code of its function makes',
    plant: revoke(/^mailsenderRole/, 'ses:SendEmail'),
  },
  {
    mistake: 'the sweeper may not send jobs',
    breaks: 'every role may make the calls that the code of its function makes',
    plant: revoke(/^sweeperRole/, 'sqs:SendMessage'),
  },
  {
    mistake: 'the hasher may not delete bytes',
    breaks: 'every role may make the calls that the code of its function makes',
    plant: revoke(/^filehasherRole/, 's3:DeleteObjectVersion'),
  },
  {
    mistake: 'sellers may not upload',
    breaks: 'every role may make the calls that the code of its function makes',
    plant: revoke(/^productfilesRole/, 's3:PutObject'),
  },
  {
    mistake: 'pages may ask the table in a language that no code speaks',
    breaks: 'no role may do what no code of its function does',
    plant: change('AWS::IAM::Policy', /^pagesRole/, (properties) => {
      statements(properties).find((statement) => JSON.stringify(statement).includes('dynamodb:Query')).Action = [
        'dynamodb:Query',
        'dynamodb:PartiQLSelect',
      ];
    }),
  },
  {
    mistake: 'a function may not read one of its secrets',
    breaks: 'every function may read each secret that its settings name',
    plant: change('AWS::IAM::Policy', /^licensesRole/, (properties) => {
      const reading = statements(properties).find(({ Action }) => [Action].flat().includes('secretsmanager:GetSecretValue'));
      reading.Resource = [reading.Resource].flat().slice(1);
    }),
  },
  {
    mistake: 'a function may read a secret that is not its own',
    breaks: 'no setting names a resource that its function may do nothing with, and no right is on one that no setting names',
    plant: (stacks) => {
      const all = find(stacks, 'AWS::IAM::Policy', /^adminRole/).resource.Properties.PolicyDocument.Statement;
      const secrets = all.find(({ Action }: Json) => [Action].flat().includes('secretsmanager:GetSecretValue'));
      find(stacks, 'AWS::IAM::Policy', /^docsRole/).resource.Properties.PolicyDocument.Statement.push(secrets);
    },
  },
  {
    mistake: 'a function may not write its log',
    breaks: 'every function may write to the log that it is given, which is kept for a time',
    plant: revoke(/^licensesRole/, 'logs:PutLogEvents'),
  },
  {
    mistake: 'an action is misspelled',
    breaks: 'every action exists, and is done to such a resource',
    plant: change('AWS::IAM::Policy', /^sellersRole/, (properties) => {
      statements(properties)[1].Action = ['dynamodb:GetItems'];
    }),
  },
  {
    mistake: 'reading objects is allowed on the bucket instead of on what is in it',
    breaks: 'every action exists, and is done to such a resource',
    plant: change('AWS::IAM::Policy', /^picturesRole/, (properties) => {
      const reading = statements(properties).find(({ Action }) => [Action].flat().includes('s3:GetObjectVersion'));
      reading.Resource = 'arn:aws:s3:::bucket';
    }),
  },
  {
    mistake: 'a condition asks for a key that the action does not come with',
    breaks: 'every condition has an operator and keys that its actions know',
    plant: change('AWS::S3::BucketPolicy', /./, (properties) => {
      statements(properties).find(denying('s3:PutObject')).Condition = { Null: { 's3:if-not-match': 'true' } };
    }),
  },
  {
    mistake: 'a condition has an operator that does not exist, so that its Deny denies nothing',
    breaks: 'every condition has an operator and keys that its actions know',
    plant: change('AWS::SQS::QueuePolicy', /./, (properties) => {
      statements(properties)[0].Condition = { Boolean: { 'aws:SecureTransport': 'false' } };
    }),
  },
  {
    mistake: 'anybody may send to a queue',
    breaks: 'nothing is allowed to everybody without a condition, and no identity is allowed all actions of a service',
    plant: change('AWS::SQS::QueuePolicy', /^WebhookQueue/, (properties) => {
      const [{ Resource }] = statements(properties);
      statements(properties).push({ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sqs:SendMessage', Resource });
    }),
  },
  {
    mistake: 'a role is allowed every action on the table',
    breaks: 'nothing is allowed to everybody without a condition, and no identity is allowed all actions of a service',
    plant: change('AWS::IAM::Policy', /^productsRole/, (properties) => {
      statements(properties)[1].Action = 'dynamodb:*';
    }),
  },
  {
    mistake: 'a role may use every table of the account',
    breaks: 'an identity is allowed an action on everything only where the action has no resource',
    plant: change('AWS::IAM::Policy', /^productsRole/, (properties) => {
      statements(properties)[1].Resource = '*';
    }),
  },
  {
    mistake: 'a role may be taken by another service',
    breaks: 'every role is used by one resource, or by what moves aliases, and trusts its service alone',
    plant: change('AWS::IAM::Role', /^mailsenderRole/, ({ AssumeRolePolicyDocument }) => {
      AssumeRolePolicyDocument.Statement[0].Principal.Service = 'ec2.amazonaws.com';
    }),
  },
  {
    mistake: 'two functions share a role',
    breaks: 'every role is used by one resource, or by what moves aliases, and trusts its service alone',
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::Lambda::Function', /^orders/);
      resource.Properties.Role = find(stacks, 'AWS::Lambda::Function', /^pages/).resource.Properties.Role;
    },
  },
  {
    mistake: 'a queue takes messages that do not come over TLS',
    breaks: 'every queue, topic and bucket has one policy, and denies what does not come over TLS',
    plant: without('AWS::SQS::QueuePolicy', /^MailQueue/, denying('sqs:*')),
  },
  {
    mistake: 'the policy of a queue is gone',
    breaks: 'every queue, topic and bucket has one policy, and denies what does not come over TLS',
    plant: remove('AWS::SQS::QueuePolicy', /^HashQueue/),
  },
  {
    mistake: 'a second policy replaces that of the topic',
    breaks: 'every queue, topic and bucket has one policy, and denies what does not come over TLS',
    plant: (stacks) => {
      const { id, stack, resource } = find(stacks, 'AWS::SNS::TopicPolicy');
      stack.template.Resources[`${id}Second`] = structuredClone(resource);
    },
  },
  {
    mistake: 'the policy of the bucket is gone',
    breaks: 'the bucket refuses overwrites, malware from signed URLs, and tags of anyone but the scanner',
    plant: remove('AWS::S3::BucketPolicy'),
  },
  {
    mistake: 'malware may be downloaded',
    breaks: 'the bucket refuses overwrites, malware from signed URLs, and tags of anyone but the scanner',
    plant: without('AWS::S3::BucketPolicy', /./, denying('s3:GetObjectVersion')),
  },
  {
    mistake: 'anyone may say that a file is clean',
    breaks: 'the bucket refuses overwrites, malware from signed URLs, and tags of anyone but the scanner',
    plant: without('AWS::S3::BucketPolicy', /./, denying('s3:PutObjectTagging')),
  },
  {
    mistake: 'GuardDuty may not read what it scans',
    breaks: 'GuardDuty may read and tag what it scans, and keep the rule it is told by',
    plant: change('AWS::IAM::Role', /Scan/, ({ Policies }) => {
      Policies[0].PolicyDocument.Statement = Policies[0].PolicyDocument.Statement.filter(
        ({ Action }: Json) => !Action.includes('s3:GetObject'),
      );
    }),
  },
  {
    mistake: 'audit records may be deleted',
    breaks: audit,
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [replica] }) => {
      delete replica.ResourcePolicy;
    }),
  },
  {
    mistake: 'audit records may be changed one by one',
    breaks: audit,
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [{ ResourcePolicy }] }) => {
      const [statement] = ResourcePolicy.PolicyDocument.Statement;
      statement.Action = statement.Action.filter((action: string) => action !== 'dynamodb:UpdateItem');
    }),
  },
  {
    mistake: 'audit records are protected only where all keys are theirs, which those of a batch are not',
    breaks: audit,
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [{ ResourcePolicy }] }) => {
      const [statement] = ResourcePolicy.PolicyDocument.Statement;
      statement.Condition = { 'ForAllValues:StringLike': statement.Condition['ForAnyValue:StringLike'] };
    }),
  },
  {
    mistake: 'nothing in the table may be changed',
    breaks: audit,
    plant: change('AWS::DynamoDB::GlobalTable', /./, ({ Replicas: [{ ResourcePolicy }] }) => {
      delete ResourcePolicy.PolicyDocument.Statement[0].Condition;
    }),
  },
  {
    mistake: 'a policy grows beyond what IAM takes',
    breaks: 'no trust, inline or resource policy is larger than its limit',
    plant: change('AWS::IAM::Policy', /^adminRole/, (properties) => {
      const [first] = statements(properties);
      statements(properties).push(...Array.from({ length: 60 }, () => structuredClone(first)));
    }),
  },
];
