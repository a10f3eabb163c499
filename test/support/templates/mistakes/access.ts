import type { Json } from '../json.ts';
import { change, find, keep, type Mistakes, remove, set } from './mistake.ts';

const table = 'AWS::DynamoDB::GlobalTable';
const role = 'AWS::IAM::Policy';
const bucketPolicy = 'AWS::S3::BucketPolicy';
const queuePolicy = 'AWS::SQS::QueuePolicy';
const tablePolicy = 'Replicas.0.ResourcePolicy.PolicyDocument.Statement.0';

const allows =
  (action: string) =>
  ({ Action }: Json): boolean =>
    [Action].flat().includes(action);
const without = (type: string, id: RegExp, action: string) => keep(type, id, (statement) => !allows(action)(statement));
/** A change of the statement of a policy that is about an action. */
const statement = (type: string, id: RegExp, action: string, edit: (statement: Json) => void) =>
  change(type, id, ({ PolicyDocument }) => edit(PolicyDocument.Statement.find(allows(action))));

/** Rights too few, too many or on the wrong thing. */
export const accessMistakes: Mistakes = {
  'every action exists, and is done to such a resource': {
    'an action is misspelled': set(role, /^sellersRole/, 'PolicyDocument.Statement.1.Action', ['dynamodb:GetItems']),
    'reading objects is allowed on the bucket instead of on what is in it': statement(
      role,
      /^picturesRole/,
      's3:GetObjectVersion',
      (reading) => Object.assign(reading, { Resource: 'arn:aws:s3:::bucket' }),
    ),
  },
  'every condition has an operator and keys that its actions know': {
    'a condition asks for a key that the action does not come with': statement(bucketPolicy, /./, 's3:PutObject', (denying) =>
      Object.assign(denying, { Condition: { Null: { 's3:if-not-match': 'true' } } }),
    ),
    'a condition has an operator that does not exist, so that its Deny denies nothing': set(
      queuePolicy,
      /./,
      'PolicyDocument.Statement.0.Condition',
      { Boolean: { 'aws:SecureTransport': 'false' } },
    ),
  },
  'nothing is allowed to everybody without a condition, and no identity is allowed all actions of a service': {
    'anybody may send to a queue': change(queuePolicy, /^WebhookQueue/, ({ PolicyDocument: { Statement } }) =>
      Statement.push({ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sqs:SendMessage', Resource: Statement[0].Resource }),
    ),
    'a role is allowed every action on the table': set(role, /^productsRole/, 'PolicyDocument.Statement.1.Action', 'dynamodb:*'),
  },
  'an identity is allowed an action on everything only where the action has no resource': {
    'a role may use every table of the account': set(role, /^productsRole/, 'PolicyDocument.Statement.1.Resource', '*'),
  },
  'every role is used by one resource, or by what moves aliases, and trusts its service alone': {
    'a role may be taken by another service': set(
      'AWS::IAM::Role',
      /^mailsenderRole/,
      'AssumeRolePolicyDocument.Statement.0.Principal.Service',
      'ec2.amazonaws.com',
    ),
    'two functions share a role': (stacks) => {
      const { Role } = find(stacks, 'AWS::Lambda::Function', /^pages/).resource.Properties;
      set('AWS::Lambda::Function', /^orders/, 'Role', Role)(stacks);
    },
    'the role of what moves aliases is that of a function too': (stacks) => {
      const { id } = find(stacks, 'AWS::IAM::Role', /^Canaries/);
      set('AWS::Lambda::Function', /^docs/, 'Role', { 'Fn::GetAtt': [id, 'Arn'] })(stacks);
    },
  },
  'no role has rights that the templates do not show, but what AWS keeps for CodeDeploy': {
    'what moves aliases may do anything': set('AWS::IAM::Role', /^Canaries/, 'ManagedPolicyArns', [
      'arn:aws:iam::aws:policy/AdministratorAccess',
    ]),
  },
  'the bucket refuses overwrites, malware from signed URLs, and tags of anyone but the scanner': {
    'the policy of the bucket is gone': remove(bucketPolicy),
    'files may be overwritten': without(bucketPolicy, /./, 's3:PutObject'),
    'parts cannot be stored': statement(bucketPolicy, /./, 's3:PutObject', (denying) => {
      delete denying.Condition.Bool;
    }),
    'malware may be downloaded': without(bucketPolicy, /./, 's3:GetObjectVersion'),
    'anyone may say that a file is clean': without(bucketPolicy, /./, 's3:PutObjectTagging'),
  },
  'GuardDuty may read and tag what it scans, and keep the rule it is told by': {
    'GuardDuty may not read what it scans': change('AWS::IAM::Role', /Scan/, ({ Policies: [{ PolicyDocument }] }) => {
      PolicyDocument.Statement = PolicyDocument.Statement.filter((one: Json) => !allows('s3:GetObject')(one));
    }),
  },
  'nobody may change or delete an audit record in any way that can be told from writing one, whatever else allows it': {
    'audit records may be deleted': set(table, /./, 'Replicas.0.ResourcePolicy'),
    'audit records may be changed one by one': change(table, /./, ({ Replicas: [{ ResourcePolicy }] }) => {
      const [denying] = ResourcePolicy.PolicyDocument.Statement;
      denying.Action = denying.Action.filter((action: string) => action !== 'dynamodb:UpdateItem');
    }),
    'audit records are protected only where all keys are theirs, which those of a batch are not': change(
      table,
      /./,
      ({ Replicas: [{ ResourcePolicy }] }) => {
        const [denying] = ResourcePolicy.PolicyDocument.Statement;
        denying.Condition = { 'ForAllValues:StringLike': denying.Condition['ForAnyValue:StringLike'] };
      },
    ),
    'nothing in the table may be changed': set(table, /./, `${tablePolicy}.Condition`),
  },
  'no trust, inline or resource policy is larger than its limit': {
    'a policy grows beyond what IAM takes': change(role, /^adminRole/, ({ PolicyDocument: { Statement } }) =>
      Statement.push(...Array.from({ length: 60 }, () => structuredClone(Statement[0]))),
    ),
  },
};
