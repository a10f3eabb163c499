import { secretSettings } from '../../../../shared/config.ts';
import { isAllowed } from '../evaluate.ts';
import type { Rules } from '../rule.ts';
import type { Service, ServiceFunction } from '../service.ts';

const queueSetting = /_QUEUE_URL$/;

/** The resources on which functions have rights of their own. */
const owned = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret', 'AWS::SQS::Queue'];

/** What a function's settings name, alone or in a list, as the ARN that rights on it have. */
function namedBy({ at }: Service, { environment }: ServiceFunction): Map<string, string> {
  const named = Object.entries(environment).flatMap(([setting, value]) =>
    value.split(',').flatMap((part) => {
      const resource = at(part);
      return resource && owned.includes(resource.type) ? [[resource.arn, setting] as const] : [];
    }),
  );
  return new Map(named);
}

/** Of what type the resources are that settings name. */
const resourceSettings: Readonly<Record<string, string>> = {
  TABLE_NAME: 'AWS::DynamoDB::GlobalTable',
  BUCKET_NAME: 'AWS::S3::Bucket',
  MAIL_CONFIGURATION_SET: 'AWS::SES::ConfigurationSet',
};
const typeNamedBy = (setting: string) =>
  secretSettings.has(setting) ? 'AWS::SecretsManager::Secret' : queueSetting.test(setting) ? 'AWS::SQS::Queue' : resourceSettings[setting];

/** Whether a statement is about what an event source needs, and nothing else. */
const isOfSource = (actions: readonly string[]) =>
  actions.every((action) => streamRights.test(action)) ||
  (actions.includes('sqs:ReceiveMessage') && actions.every((action) => queueRights.test(action)));
const queueRights = /^sqs:(ReceiveMessage|DeleteMessage|ChangeMessageVisibility|GetQueueUrl|GetQueueAttributes)$/;
const streamRights = /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)$/;

/** The tables, queues, buckets and secrets that a function may do something with, but for what its event sources need. */
function granted({ resources }: Service, { statements }: ServiceFunction): Set<string> {
  const kept = resources.filter(({ type }) => owned.includes(type));
  const given = statements.filter(({ Effect, Action }) => Effect === 'Allow' && !isOfSource(Action)).flatMap(({ Resource }) => Resource);
  return new Set(kept.filter(({ arn }) => given.some((each) => each === arn || each.startsWith(`${arn}/`))).map(({ arn }) => arn));
}

/** What settings ask of a role, and the other way round. */
export const rightRules: Rules = {
  'every setting that names a resource names one of its type, and the same in every function': (service) => {
    const seen = new Map<string, string>();
    return service.functions.flatMap(({ folder, environment }) =>
      Object.entries(environment).flatMap(([setting, value]) => {
        const type = typeNamedBy(setting);
        if (type === undefined) return [];
        const resource = service.at(value, type);
        const usual = seen.get(setting) ?? resource?.ref;
        if (usual) seen.set(setting, usual);
        const isSecretOfThatName = !secretSettings.has(setting) || resource?.properties.Name.endsWith(`/${service.stage}/${setting}`);
        return resource && resource.ref === usual && isSecretOfThatName ? [] : [`${setting} of ${folder} is ${value}`];
      }),
    );
  },

  'every function has the settings that it names, and is given no other': ({ functions, definitions, at }) =>
    definitions.flatMap(({ name, settingNames }) => {
      const environment = functions.find(({ folder }) => folder === name)?.environment ?? {};
      const made = settingNames.filter(
        (setting) => typeNamedBy(setting) || ['STAGE', 'AUTH_MODE', 'PUBLIC_BASE_URL', 'MAIL_FROM'].includes(setting),
      );
      return [
        ...made.filter((setting) => environment[setting] === undefined || (typeNamedBy(setting) && !at(environment[setting]))),
        ...Object.keys(environment).filter((setting) => !settingNames.some((named) => named === setting)),
      ].map((setting) => `${setting} of ${name}`);
    }),

  'no setting names a resource that its function may do nothing with, and no right is on one that no setting names': (service) =>
    service.functions.flatMap((each) => {
      const named = namedBy(service, each);
      const rights = granted(service, each);
      return [
        ...[...named]
          .filter(([arn]) => !rights.has(arn))
          .map(([, setting]) => `${each.folder} is given ${setting}, and may do nothing with it`),
        ...[...rights]
          .filter((arn) => !named.has(arn))
          .map((arn) => `${each.folder} has rights on ${arn}, which none of its settings names`),
      ];
    }),

  'every function may read each secret that its settings name': async (service) => {
    const faults = service.functions.map(async ({ folder, environment, properties, statements }) => {
      const secrets = Object.entries(environment).filter(([setting]) => secretSettings.has(setting));
      const denied = secrets.map(async ([setting, arn]) => {
        const call = { principal: properties.Role, action: 'secretsmanager:GetSecretValue', resource: arn, identity: statements };
        return (await isAllowed(call)) ? [] : [`${folder} may not read ${setting}`];
      });
      return (await Promise.all(denied)).flat();
    });
    return (await Promise.all(faults)).flat();
  },

  'no environment is larger than 4 KB': ({ functions }) =>
    functions
      .map(({ folder, environment }) => [folder, Object.entries(environment).flat().join('').length] as const)
      .filter(([, bytes]) => bytes > 4096)
      .map(([folder, bytes]) => `${folder}: ${bytes}`),

  'every role is used by one resource, or by what moves aliases, and trusts its service alone': (service) =>
    service.ofType('AWS::IAM::Role').flatMap(({ id, arn, properties: { AssumeRolePolicyDocument } }) => {
      const users = service.resources.filter(
        ({ type, properties }) => type in trusted && [properties.Role, properties.RoleArn, properties.ServiceRoleArn].includes(arn),
      );
      const trusts = AssumeRolePolicyDocument.Statement.map(({ Effect, Action, Principal }: Record<string, unknown>) =>
        JSON.stringify({ Effect, Action, Principal }),
      );
      const [user] = users;
      const isShared = users.every(({ type }) => sharing.includes(type));
      const expected = user && JSON.stringify({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: trusted[user.type] } });
      return (users.length === 1 || isShared) && trusts.length === 1 && trusts[0] === expected
        ? []
        : [`${id} is used by ${users.map((each) => each.id)} and trusts ${trusts}`];
    }),

  'no role has rights that the templates do not show, but what AWS keeps for CodeDeploy': ({ ofType }) =>
    ofType('AWS::IAM::Role').flatMap(({ id, properties: { ManagedPolicyArns = [], AssumeRolePolicyDocument } }) => {
      const [{ Principal }] = AssumeRolePolicyDocument.Statement;
      const isFit = (arn: string) =>
        Principal.Service === 'codedeploy.amazonaws.com' &&
        arn === 'arn:aws:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited';
      return ManagedPolicyArns.filter((arn: string) => !isFit(arn)).map((arn: string) => `${id} has ${arn}`);
    }),

  'every function runs the handler that its bundle exports, on arm64': ({ functions }) =>
    functions
      .filter(
        ({ properties }) =>
          properties.Handler !== 'start.handler' || properties.Runtime !== 'nodejs24.x' || `${properties.Architectures}` !== 'arm64',
      )
      .map(({ folder }) => folder),
};

/** What moves aliases does so for all functions alike, and has no data. */
const sharing = ['AWS::CodeDeploy::DeploymentGroup'];

/** As what the resources that have a role act. */
const trusted: Readonly<Record<string, string>> = {
  'AWS::CodeDeploy::DeploymentGroup': 'codedeploy.amazonaws.com',
  'AWS::GuardDuty::MalwareProtectionPlan': 'malware-protection-plan.guardduty.amazonaws.com',
  'AWS::Lambda::Function': 'lambda.amazonaws.com',
  'AWS::Scheduler::Schedule': 'scheduler.amazonaws.com',
};
