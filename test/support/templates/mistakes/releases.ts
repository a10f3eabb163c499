import type { Json } from '../json.ts';
import type { SynthesizedStack } from '../stacks-at.ts';
import { change, find, type Mistake, remove } from './mistake.ts';

const rolledBack = 'every deployment is rolled back by errors of the alias that it moves, and of the API';
const moved = 'a deployment moves the alias of each function whose failure hurts at once, and of one each';
const ownVersion = 'every function has one alias, of a version of its own';
const called = 'whatever calls a function calls the alias of the version that serves';

const group = (id: RegExp, edit: (properties: Json) => void) => change('AWS::CodeDeploy::DeploymentGroup', id, edit);

const functionOf = (stacks: readonly SynthesizedStack[], id: RegExp) => ({ Ref: find(stacks, 'AWS::Lambda::Function', id).id });

/** New versions that do not come to serve, or cannot be left again. */
export const releaseMistakes: readonly Mistake[] = [
  {
    mistake: 'an event source mapping leads past the alias',
    breaks: called,
    plant: (stacks) => {
      find(stacks, 'AWS::Lambda::EventSourceMapping', /^mailsender/).resource.Properties.FunctionName = functionOf(stacks, /^mailsender/);
    },
  },
  {
    mistake: 'a queue is worked off through an alias that does not exist',
    breaks: 'every queue is worked off by its own worker alone',
    plant: change('AWS::Lambda::EventSourceMapping', /^mailsender/, ({ FunctionName }) => {
      FunctionName['Fn::Join'][1].splice(-1, 1, ':alive');
    }),
  },
  {
    mistake: 'an alias is that of another function',
    breaks: ownVersion,
    plant: (stacks) => {
      find(stacks, 'AWS::Lambda::Alias', /^orders/).resource.Properties.FunctionName = functionOf(stacks, /^pages/);
    },
  },
  {
    mistake: 'an alias names the version of another function',
    breaks: ownVersion,
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::Lambda::Alias', /^orders/);
      resource.Properties.FunctionVersion = find(stacks, 'AWS::Lambda::Alias', /^pages/).resource.Properties.FunctionVersion;
    },
  },
  {
    mistake: 'routes lead to the alias of another function',
    breaks: 'every route leads to the function that serves it, and every one that is served has a route',
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::ApiGatewayV2::Integration', /licenses/);
      resource.Properties.IntegrationUri = { Ref: find(stacks, 'AWS::Lambda::Alias', /^orders/).id };
    },
  },
  {
    mistake: 'a new version serves everybody at once',
    breaks: moved,
    plant: (stacks) => {
      delete find(stacks, 'AWS::Lambda::Alias', /^licenses/).resource.UpdatePolicy;
    },
  },
  {
    mistake: 'two aliases are moved by one deployment',
    breaks: moved,
    plant: (stacks) => {
      const { resource } = find(stacks, 'AWS::Lambda::Alias', /^pages/);
      resource.UpdatePolicy = find(stacks, 'AWS::Lambda::Alias', /^licenses/).resource.UpdatePolicy;
    },
  },
  {
    mistake: 'a canary has no alarm',
    breaks: rolledBack,
    plant: group(/licenses/, (properties) => {
      delete properties.AlarmConfiguration;
    }),
  },
  {
    mistake: 'a canary is not rolled back when its alarm goes off',
    breaks: rolledBack,
    plant: group(/pages/, ({ AutoRollbackConfiguration }) => {
      AutoRollbackConfiguration.Events = ['DEPLOYMENT_FAILURE'];
    }),
  },
  {
    mistake: 'a canary looks at the errors of another function',
    breaks: rolledBack,
    plant: (stacks) => {
      const { Alarms } = find(stacks, 'AWS::CodeDeploy::DeploymentGroup', /storefront/).resource.Properties.AlarmConfiguration;
      Alarms[0].Name = { Ref: find(stacks, 'AWS::CloudWatch::Alarm', /^Canariespages/).id };
    },
  },
  {
    mistake: 'a canary does not look at the API',
    breaks: rolledBack,
    plant: group(/purchases/, ({ AlarmConfiguration }) => {
      AlarmConfiguration.Alarms.pop();
    }),
  },
  {
    mistake: 'the alarm of a canary is on an alias that does not exist',
    breaks: 'every dimension names a resource of the service',
    plant: change('AWS::CloudWatch::Alarm', /^Canarieslicenses/, ({ Dimensions }) => {
      Dimensions.find(({ Name }: Json) => Name === 'Resource').Value['Fn::Join'][1].splice(-1, 1, ':alive');
    }),
  },
  {
    mistake: 'an alarm without a canary tells nobody',
    breaks:
      'every alarm is switched on, and tells a topic of its Region, which lets CloudWatch publish, when it goes off and when it is over',
    plant: (stacks) => {
      for (;;) {
        try {
          remove('AWS::CodeDeploy::DeploymentGroup')(stacks);
        } catch {
          return;
        }
      }
    },
  },
  {
    mistake: 'what moves aliases may do anything',
    breaks: 'no role has rights that the templates do not show, but what AWS keeps for CodeDeploy',
    plant: change('AWS::IAM::Role', /^Canaries/, (properties) => {
      properties.ManagedPolicyArns = ['arn:aws:iam::aws:policy/AdministratorAccess'];
    }),
  },
  {
    mistake: 'the role of what moves aliases is that of a function too',
    breaks: 'every role is used by one resource, or by what moves aliases, and trusts its service alone',
    plant: (stacks) => {
      const { id } = find(stacks, 'AWS::IAM::Role', /^Canaries/);
      find(stacks, 'AWS::Lambda::Function', /^docs/).resource.Properties.Role = { 'Fn::GetAtt': [id, 'Arn'] };
    },
  },
];
