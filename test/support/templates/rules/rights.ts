import { secretSettings } from '../../../../shared/config.ts';
import type { Rules } from '../rule.ts';

const queueSetting = /_QUEUE_URL$/;

/** Of what type the resources are that settings name. */
const resourceSettings: Readonly<Record<string, string>> = {
  TABLE_NAME: 'AWS::DynamoDB::GlobalTable',
  BUCKET_NAME: 'AWS::S3::Bucket',
  MAIL_CONFIGURATION_SET: 'AWS::SES::ConfigurationSet',
};
const typeNamedBy = (setting: string) =>
  secretSettings.has(setting) ? 'AWS::SecretsManager::Secret' : queueSetting.test(setting) ? 'AWS::SQS::Queue' : resourceSettings[setting];

/** Settings and roles. Whether a role allows what its function does, and no more, runs of whole stacks show. */
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
