import { comesWith, isDoneTo, isWithoutResource } from '../authorization-reference.ts';
import { verdict } from '../evaluate.ts';
import { account } from '../identifiers.ts';
import type { Rules } from '../rule.ts';
import { type Resource, type Service, type Statement, statementsOf } from '../service.ts';

const operator =
  /^(ForAllValues:|ForAnyValue:)?(String(Not)?(Equals(IgnoreCase)?|Like)|Arn(Not)?(Equals|Like)|Numeric(Not)?Equals|Numeric(Less|Greater)Than(Equals)?|Date(Not)?Equals|Date(Less|Greater)Than(Equals)?|Bool|(Not)?IpAddress)(IfExists)?$|^Null$/;

const documentsOf = ({ ofType, resources }: Service): { id: string; statements: Statement[] }[] => [
  ...ofType('AWS::IAM::Role').flatMap(({ id, properties }) =>
    (properties.Policies ?? []).map(({ PolicyDocument }: { PolicyDocument: unknown }) => ({
      id,
      statements: statementsOf(PolicyDocument),
    })),
  ),
  ...resources
    .filter(({ type, properties }) => /Policy$/.test(type) && properties.PolicyDocument)
    .map(({ id, properties }) => ({ id, statements: statementsOf(parsed(properties.PolicyDocument)) })),
  ...ofType('AWS::DynamoDB::GlobalTable').map((table) => ({ id: table.id, statements: tablePolicy(table) })),
];

/** The policy of a log is text. */
const parsed = (document: unknown) => (typeof document === 'string' ? JSON.parse(document) : document);

/** In the policy of the table, which is part of it and cannot name it, every resource is the table. */
export const tablePolicy = ({ arn, properties: { Replicas = [] } }: Resource): Statement[] =>
  Replicas.flatMap(({ ResourcePolicy }: { ResourcePolicy?: { PolicyDocument: unknown } }) =>
    statementsOf(ResourcePolicy?.PolicyDocument).map((statement) => ({
      ...statement,
      Resource: statement.Resource.map((resource) => (resource === '*' ? arn : resource)),
    })),
  );

/** One of the resources that a pattern stands for. */
const concrete = (pattern: string) =>
  pattern === '*' ? pattern : pattern.replace(/(:log-group:[^:]+):\*$/, '$1:log-stream:x').replaceAll('*', 'x');

/** What is wrong with an action on a resource: it does not exist, or it is never done to such a thing. */
async function misnamed(action: string, resource: string): Promise<string | undefined> {
  if (action.endsWith('*')) return undefined;
  // AWS's own example of a role that reads a stream has it on the stream's ARN; its reference has it for no resource.
  if (action === 'dynamodb:ListStreams' && resource.includes('/stream/')) return undefined;
  return (await isDoneTo(action, concrete(resource))) ? undefined : `${action} on ${resource}`;
}

async function unknownKeys({ Action, Resource, Condition = {} }: Statement): Promise<string[]> {
  const operators = Object.keys(Condition).filter((name) => !operator.test(name));
  const keys = Object.values<object>(Condition).flatMap((tests) => Object.keys(tests));
  const named = Action.filter((action) => !action.endsWith('*'));
  const unknown = await Promise.all(keys.map(async (key) => ((await isKnown(key, named, Resource)) ? [] : [key])));
  return [...operators, ...unknown.flat()];
}

/** Whether one at least of the actions, done to one of the resources, comes with this condition key. */
async function isKnown(key: string, actions: readonly string[], resources: readonly string[]): Promise<boolean> {
  if (actions.length === 0) return key.startsWith('aws:');
  const pairs = actions.flatMap((action) => resources.map((resource) => comesWith(key, action, concrete(resource))));
  return (await Promise.all(pairs)).some(Boolean);
}

/** A caller of the account whose own policy allows everything, so that the resource alone decides. */
export const anybody: Statement[] = [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }];
export const somebody = `arn:aws:iam::${account}:role/somebody`;

const bucketPolicy = ({ ofType }: Service, { ref }: Resource) =>
  statementsOf(ofType('AWS::S3::BucketPolicy').findLast(({ properties }) => properties.Bucket === ref)?.properties.PolicyDocument);

/** What policies say: that it exists, that it is bounded, and that the resources deny what they have to. */
export const policyRules: Rules = {
  'every action exists, and is done to such a resource': async (service) => {
    const named = documentsOf(service).flatMap(({ id, statements }) =>
      statements.flatMap(({ Action, Resource }) =>
        // A statement may list resources of several types; each action needs one of them, and each resource one action.
        [
          ...Action.map((action) => ({ id, pairs: Resource.map((resource) => [action, resource] as const) })),
          ...Resource.map((resource) => ({ id, pairs: Action.map((action) => [action, resource] as const) })),
        ],
      ),
    );
    const faults = await Promise.all(
      named.map(async ({ id, pairs }) => {
        const found = await Promise.all(pairs.map(([action, resource]) => misnamed(action, resource)));
        return found.every((fault) => fault !== undefined) ? [`${id}: ${found[0]}`] : [];
      }),
    );
    return [...new Set(faults.flat())];
  },

  'every condition has an operator and keys that its actions know': async (service) => {
    const faults = await Promise.all(
      documentsOf(service).flatMap(({ id, statements }) =>
        statements.map(async (statement) => (await unknownKeys(statement)).map((name) => `${id}: ${name} for ${statement.Action}`)),
      ),
    );
    return faults.flat();
  },

  'nothing is allowed to everybody without a condition, and no identity is allowed all actions of a service': (service) =>
    documentsOf(service).flatMap(({ id, statements }) =>
      statements
        .filter(({ Effect }) => Effect === 'Allow')
        .filter(
          ({ Principal, Condition, Action }) =>
            (/"\*"/.test(JSON.stringify(Principal ?? '')) && !Condition) || Action.some((action) => action.endsWith('*')),
        )
        .map(({ Action }) => `${id} allows ${Action}`),
    ),

  'an identity is allowed an action on everything only where the action has no resource': async (service) => {
    const identities = documentsOf(service).flatMap(({ id, statements }) =>
      statements.filter(({ Principal }) => !Principal).map((each) => ({ id, ...each })),
    );
    const open = identities.filter(
      ({ Effect, Resource }) =>
        Effect === 'Allow' && Resource.some((resource) => resource === '*' || /^arn:aws:[\w-]+:[^:]*:[^:]*:\*$/.test(resource)),
    );
    const faults = open.map(async ({ id, Action }) => {
      const named = await Promise.all(Action.map(isWithoutResource));
      return named.every(Boolean) ? [] : [`${id} allows ${Action} on everything`];
    });
    return (await Promise.all(faults)).flat();
  },

  'the bucket refuses overwrites, malware from signed URLs, and tags of anyone but the scanner': async (service) => {
    const scanner = service.roleAt(service.ofType('AWS::GuardDuty::MalwareProtectionPlan')[0]?.properties.Role)?.arn ?? 'nobody';
    const faults = service.ofType('AWS::S3::Bucket').map(async (bucket) => {
      const call = (principal: string, action: string, context: Record<string, string>) =>
        verdict({
          principal,
          action,
          resource: `${bucket.arn}/files/x`,
          context: { 'aws:PrincipalArn': principal, ...context },
          identity: anybody,
          policy: bucketPolicy(service, bucket),
        });
      const creates = (object: string) => ({ 's3:ObjectCreationOperation': object });
      const infected = { 's3:ExistingObjectTag/GuardDutyMalwareScanStatus': 'THREATS_FOUND' };
      const verdicts = {
        'overwrite: ExplicitlyDenied': await call(somebody, 's3:PutObject', creates('true')),
        'new: Allowed': await call(somebody, 's3:PutObject', { ...creates('true'), 's3:if-none-match': '*' }),
        'part: Allowed': await call(somebody, 's3:PutObject', creates('false')),
        'download of malware: ExplicitlyDenied': await call(somebody, 's3:GetObjectVersion', {
          ...infected,
          's3:authType': 'REST-QUERY-STRING',
        }),
        'look at malware: Allowed': await call(somebody, 's3:GetObjectVersion', { ...infected, 's3:authType': 'REST-HEADER' }),
        'tag: ExplicitlyDenied': await call(somebody, 's3:PutObjectTagging', {}),
        'untag: ExplicitlyDenied': await call(somebody, 's3:DeleteObjectVersionTagging', {}),
        'tag of the scanner: Allowed': await call(scanner, 's3:PutObjectTagging', {}),
      };
      return Object.entries(verdicts).flatMap(([wanted, actual]) =>
        wanted.endsWith(`: ${actual}`) ? [] : [`${bucket.id} answers ${actual} to ${wanted}`],
      );
    });
    return (await Promise.all(faults)).flat();
  },

  'GuardDuty may read and tag what it scans, and keep the rule it is told by': async (service) => {
    const faults = service.ofType('AWS::GuardDuty::MalwareProtectionPlan').map(async ({ properties: { Role, ProtectedResource } }) => {
      const role = service.roleAt(Role);
      const identity = role ? service.statementsOfRole(role) : [];
      const bucket = service.at(ProtectedResource.S3Bucket.BucketName, 'AWS::S3::Bucket');
      const [prefix = ''] = ProtectedResource.S3Bucket.ObjectPrefixes ?? [];
      const policy = bucket && bucketPolicy(service, bucket);
      const calls = [
        ...['s3:GetObject', 's3:GetObjectVersion', 's3:PutObjectTagging', 's3:PutObjectVersionTagging', 's3:GetObjectTagging'].map(
          (action) => ({ action, resource: `${bucket?.arn}/${prefix}x` }),
        ),
        ...['s3:ListBucket', 's3:PutBucketNotification', 's3:GetBucketNotification'].map((action) => ({
          action,
          resource: `${bucket?.arn}`,
        })),
        { action: 's3:PutObject', resource: `${bucket?.arn}/malware-protection-resource-validation-object` },
        ...[
          'events:PutRule',
          'events:DeleteRule',
          'events:PutTargets',
          'events:RemoveTargets',
          'events:DescribeRule',
          'events:ListTargetsByRule',
        ].map((action) => ({
          action,
          resource: `arn:aws:events:eu-west-1:${account}:rule/DO-NOT-DELETE-AmazonGuardDutyMalwareProtectionS3x`,
        })),
      ];
      const context = { 'aws:PrincipalArn': Role, 'events:ManagedBy': 'malware-protection-plan.guardduty.amazonaws.com' };
      const denied = calls.map(async ({ action, resource }) =>
        (await verdict({ principal: Role, action, resource, context, identity, ...(policy && { policy }) })) === 'Allowed'
          ? []
          : [`${action} ${resource}`],
      );
      return (await Promise.all(denied)).flat();
    });
    return (await Promise.all(faults)).flat();
  },

  'no trust, inline or resource policy is larger than its limit': (service) =>
    service.resources.flatMap((resource) => {
      const sizes = {
        trust: [sizeOf(resource.properties.AssumeRolePolicyDocument), 2048],
        inline: [resource.type === 'AWS::IAM::Role' ? sizeOf(service.statementsOfRole(resource)) : 0, 10_240],
        table: [resource.type === 'AWS::DynamoDB::GlobalTable' ? sizeOf(tablePolicy(resource)) : 0, 20_480],
        bucket: [resource.type === 'AWS::S3::BucketPolicy' ? sizeOf(resource.properties.PolicyDocument) : 0, 20_480],
      } as const;
      return Object.entries(sizes)
        .filter(([, [size, limit]]) => size > limit)
        .map(([kind, [size, limit]]) => `${resource.id}: ${size} of ${limit} for ${kind}`);
    }),
};

/** In characters, of which IAM counts all but white space. */
const sizeOf = (document: unknown) => (JSON.stringify(document) ?? '').replaceAll(/\s/g, '').length;
