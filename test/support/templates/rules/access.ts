import type { Json } from '../identifiers.ts';
import { account } from '../identifiers.ts';
import { change, type Rules, set, without } from '../mistake.ts';
import { type Resource, type Service, type Statement, statementsOf } from '../service.ts';
import { verdict } from '../verdicts.ts';

const table = 'AWS::DynamoDB::GlobalTable';
const bucket = 'AWS::S3::Bucket';
const bucketPolicy = 'AWS::S3::BucketPolicy';

/** Somebody of the account whom nothing else holds back. */
const anybody: Statement[] = [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }];
const somebody = `arn:aws:iam::${account}:role/somebody`;

const policyOf = ({ ofType }: Service, { ref }: Resource) =>
  statementsOf(ofType(bucketPolicy).findLast(({ properties }) => properties.Bucket === ref)?.properties.PolicyDocument);

/** In the policy of the table, which is part of it and cannot name it, every resource is the table. */
const tablePolicy = ({ arn, properties: { Replicas } }: Resource): Statement[] =>
  Replicas.flatMap(({ ResourcePolicy }: Json) => statementsOf(ResourcePolicy?.PolicyDocument)).map((statement: Statement) => ({
    ...statement,
    Resource: [arn],
  }));

/** Every way to change items but to put one, and what has to stay possible. */
const changes = ['BatchWriteItem', 'DeleteItem', 'PartiQLDelete', 'PartiQLUpdate', 'UpdateItem'];
const others = ['PutItem', 'Query', 'GetItem'];
const management = ['UpdateTable', 'DeleteResourcePolicy', 'PutResourcePolicy', 'DescribeTable', 'UpdateTimeToLive', 'Scan'];

/** What GuardDuty asks of the role that it scans a bucket as, on the bucket, what is in it, and a rule of its own. */
const asked = {
  '': ['s3:ListBucket', 's3:PutBucketNotification', 's3:GetBucketNotification'],
  '/files/x': ['s3:GetObject', 's3:GetObjectVersion', 's3:GetObjectTagging', 's3:PutObjectTagging', 's3:PutObjectVersionTagging'],
  '/malware-protection-resource-validation-object': ['s3:PutObject'],
};
const askedOfRule = ['PutRule', 'DeleteRule', 'PutTargets', 'RemoveTargets', 'DescribeRule', 'ListTargetsByRule'];

/** In characters, of which IAM counts all but white space. */
const sizeOf = (document: unknown) => (JSON.stringify(document) ?? '').replaceAll(/\s/g, '').length;

/** What policies of the cloud alone say. What roles of functions allow, each for itself, is tested with them. */
export const accessRules: Rules = {
  // That it refuses overwrites, and not what is put together, the file store of the local stack shows.
  'the bucket refuses malware from signed URLs, and tags of anyone but the scanner': {
    faults: (service) =>
      service.ofType(bucket).flatMap((own) => {
        const scanner = service.ofType('AWS::GuardDuty::MalwareProtectionPlan')[0]?.properties.Role ?? 'nobody';
        const found = 's3:ExistingObjectTag/GuardDutyMalwareScanStatus';
        const infected = (type: string) => ({ [found]: 'THREATS_FOUND', 's3:authType': type });
        const cases: [wanted: string, principal: string, action: string, context?: Record<string, string>][] = [
          ['ExplicitlyDenied', somebody, 'GetObjectVersion', infected('REST-QUERY-STRING')],
          ['Allowed', somebody, 'GetObjectVersion', infected('REST-HEADER')],
          ['ExplicitlyDenied', somebody, 'PutObjectTagging'],
          ['ExplicitlyDenied', somebody, 'DeleteObjectVersionTagging'],
          ['Allowed', scanner, 'PutObjectTagging'],
        ];
        return cases.flatMap(([wanted, principal, action, given]) => {
          const call = {
            principal,
            action: `s3:${action}`,
            resource: `${own.arn}/files/x`,
            identity: anybody,
            policy: policyOf(service, own),
          };
          const actual = verdict({ ...call, context: { 'aws:PrincipalArn': principal, ...given } });
          return actual === wanted ? [] : [`${action} with ${JSON.stringify(given)} is ${actual}`];
        });
      }),
    mistakes: {
      'malware may be downloaded': without(bucketPolicy, /./, 's3:GetObjectVersion'),
      'anyone may say that a file is clean': without(bucketPolicy, /./, 's3:PutObjectTagging'),
    },
  },

  'GuardDuty may read and tag what it scans, and keep the rule it is told by': {
    faults: (service) =>
      service.ofType('AWS::GuardDuty::MalwareProtectionPlan').flatMap(({ properties: { Role: principal } }) => {
        const own = service.ofType(bucket)[0];
        const role = service.roleAt(principal);
        const rule = `arn:aws:events:eu-west-1:${account}:rule/DO-NOT-DELETE-AmazonGuardDutyMalwareProtectionS3x`;
        const calls = [
          ...Object.entries(asked).flatMap(([key, actions]) => actions.map((action) => [action, `${own?.arn}${key}`] as const)),
          ...askedOfRule.map((action) => [`events:${action}`, rule] as const),
        ];
        const context = { 'aws:PrincipalArn': principal, 'events:ManagedBy': 'malware-protection-plan.guardduty.amazonaws.com' };
        const policies = { identity: role ? service.statementsOfRole(role) : [], policy: own ? policyOf(service, own) : [] };
        return calls.flatMap(([action, resource]) =>
          verdict({ principal, action, resource, context, ...policies }) === 'Allowed' ? [] : [`${action} ${resource}`],
        );
      }),
    mistakes: {
      'GuardDuty may not read what it scans': change('AWS::IAM::Role', /Scan/, ({ Policies: [{ PolicyDocument }] }) => {
        PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Action }: Json) => !Action.includes('s3:GetObject'));
      }),
    },
  },

  'nobody may change or delete an audit record in any way that can be told from writing one, and the table can be managed': {
    faults: ({ ofType }) =>
      ofType(table).flatMap((own) => {
        const denied = (action: string, ...keys: string[]) => {
          const context = { 'dynamodb:LeadingKeys': keys };
          const call = { principal: somebody, action: `dynamodb:${action}`, resource: own.arn, context };
          return verdict({ ...call, identity: anybody, policy: tablePolicy(own) }) === 'ExplicitlyDenied';
        };
        return [
          ...changes.filter((action) => !denied(action, 'AUDIT#x') || !denied(action, 'ORDER#x', 'AUDIT#x') || denied(action, 'ORDER#x')),
          ...others.filter((action) => denied(action, 'AUDIT#x')),
          ...management.filter((action) => denied(action)),
        ];
      }),
    mistakes: {
      'audit records may be deleted': set(table, /./, 'Replicas.0.ResourcePolicy'),
      'audit records are protected only where all keys are theirs, which those of a batch are not': change(
        table,
        /./,
        ({ Replicas: [{ ResourcePolicy }] }) => {
          const [denying] = ResourcePolicy.PolicyDocument.Statement;
          denying.Condition = { 'ForAllValues:StringLike': denying.Condition['ForAnyValue:StringLike'] };
        },
      ),
      'nothing in the table may be changed': set(table, /./, 'Replicas.0.ResourcePolicy.PolicyDocument.Statement.0.Condition'),
    },
  },

  'nothing is allowed to everybody, and no role can be taken but by one service': {
    faults: ({ resources }) => [
      ...resources
        .filter(({ properties }) =>
          statementsOf(properties.PolicyDocument).some(
            ({ Effect, Principal, Condition }) => Effect === 'Allow' && JSON.stringify(Principal ?? '').includes('"*"') && !Condition,
          ),
        )
        .map(({ id }) => id),
      ...resources
        .filter(({ type }) => type === 'AWS::IAM::Role')
        .filter(({ properties }) => {
          const [trust, ...more] = statementsOf(properties.AssumeRolePolicyDocument);
          const service = /^(lambda|codedeploy|malware-protection-plan\.guardduty)\.amazonaws\.com$/;
          return more.length > 0 || trust?.Action.join() !== 'sts:AssumeRole' || !service.test(trust?.Principal?.Service);
        })
        .map(({ id }) => id),
    ],
    mistakes: {
      'anybody may send to a queue': change('AWS::SQS::QueuePolicy', /^WebhookQueue/, ({ PolicyDocument: { Statement } }) =>
        Statement.push({ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sqs:SendMessage', Resource: Statement[0].Resource }),
      ),
      'a role may be taken by another service': set(
        'AWS::IAM::Role',
        /^mailsenderRole/,
        'AssumeRolePolicyDocument.Statement.0.Principal.Service',
        'ec2.amazonaws.com',
      ),
    },
  },

  'no policy, environment or API comes near the size that is its limit': {
    faults: (service) => [
      ...service.resources.flatMap((resource) => {
        const { id, type, properties } = resource;
        const inline = type === 'AWS::IAM::Role' ? sizeOf(service.statementsOfRole(resource)) : 0;
        const attached = sizeOf(type === table ? tablePolicy(resource) : type === bucketPolicy ? properties.PolicyDocument : '');
        const environment = Object.entries(properties.Environment?.Variables ?? {})
          .flat()
          .join('').length;
        return inline > 10_240 / 2 || attached > 20_480 / 2 || environment > 4096 ? [id] : [];
      }),
      ...(service.ofType('AWS::ApiGatewayV2::Route').length > 300 / 2 ? ['routes'] : []),
      ...service.stacks.filter(({ template }) => Object.keys(template.Resources).length > 500 * 0.8).map(({ name }) => name),
    ],
    mistakes: {
      'a policy grows beyond what IAM takes': change('AWS::IAM::Policy', /^adminRole/, ({ PolicyDocument: { Statement } }) =>
        Statement.push(...Array.from({ length: 60 }, () => structuredClone(Statement[0]))),
      ),
      'settings outgrow the environment': set(
        'AWS::Lambda::Function',
        /^admin/,
        'Environment.Variables.ADMIN_ALLOWLIST',
        'sub:a,'.repeat(800),
      ),
    },
  },
};
