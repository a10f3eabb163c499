import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { StartError } from '../../../infra/local/engines/engine.ts';
import { startLocalStack } from '../../../infra/local/stack.ts';
import {
  type Change,
  changedApp,
  type GuardedEngines,
  startGuardedEngines,
  statementsOf,
  type TemplateResource,
} from '../../support/access/changed-app.ts';

jest.setTimeout(120_000);

const worker = 'event-projector';
const resourceOf = (resources: readonly TemplateResource[], type: string, id: string) => {
  const found = resources.find(({ Type, logicalId }) => Type === type && logicalId.startsWith(id));
  if (!found) throw new Error(`There is no ${type} ${id}.`);
  return found.Properties;
};
const withCondition =
  (condition: object): Change =>
  (resources) =>
    statementsOf(resources, worker).push({ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*', Condition: condition });
const withStatement =
  (statement: object): Change =>
  (resources) =>
    statementsOf(resources, worker).push(statement);

let started: GuardedEngines | undefined;
afterEach(async () => {
  await started?.stop();
  started = undefined;
});

describe('the stack does not start', () => {
  test.each<[string, Change, RegExp]>([
    ['a condition key that it does not know', withCondition({ StringEquals: { 'aws:SourceVpc': 'vpc-1' } }), /condition on aws:SourceVpc/],
    [
      'one in the policy of a resource',
      (resources) => {
        resourceOf(resources, 'AWS::SQS::QueuePolicy', 'MailQueue').PolicyDocument.Statement[0].Condition = {
          Bool: { 'aws:ViaAWSService': 'false' },
        };
      },
      /MailQueuePolicy\w* has a condition on aws:ViaAWSService/,
    ],
    [
      'a variable that it does not know',
      withStatement({ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/$' + '{aws:username}/*' }),
      /condition on aws:username/,
    ],
    ['an operator that there is not', withCondition({ StringMatches: { 'aws:SourceArn': 'a' } }), /condition on StringMatches/],
    ['an effect that there is not', withStatement({ Effect: 'Permit', Action: 's3:GetObject', Resource: '*' }), /would be refused/],
    [
      'rights from outside the templates',
      (resources) => {
        resourceOf(resources, 'AWS::IAM::Role', 'eventprojectorRole').ManagedPolicyArns = ['arn:aws:iam::aws:policy/AdministratorAccess'];
      },
      /eventprojectorRole\w* cannot be enforced here/,
    ],
    [
      'a boundary of rights',
      (resources) => {
        resourceOf(resources, 'AWS::IAM::Role', 'eventprojectorRole').PermissionsBoundary = 'arn:aws:iam::000000000000:policy/b';
      },
      /cannot be enforced here/,
    ],
    [
      'a role that Lambda may not assume',
      (resources) => {
        const [statement] = resourceOf(resources, 'AWS::IAM::Role', 'eventprojectorRole').AssumeRolePolicyDocument.Statement;
        statement.Principal = { Service: 'ec2.amazonaws.com' };
      },
      /event-projector cannot run: Lambda may not assume its role/,
    ],
    [
      'a function that may not write its log',
      (resources) => {
        const statement = statementsOf(resources, worker).find(({ Action }) => String(Action).includes('logs:'));
        statement.Action = 'logs:CreateLogStream';
      },
      /event-projector could not write its log: User: .* is not authorized to perform: logs:PutLogEvents/,
    ],
  ])('with %s', async (_, change, message) => {
    const outcome = startGuardedEngines(change).then((engines) => (started = engines));
    await expect(outcome).rejects.toThrow(message);
    await expect(outcome).rejects.toBeInstanceOf(StartError);
  });

  test.each<[string, string, RegExp]>([
    ['its queue', 'sqs:DeleteMessage', /event-projector cannot be fed from .*WebhookQueue.*sqs:DeleteMessage/],
    ['its stream', 'dynamodb:GetRecords', /event-publisher cannot be fed from .*stream.*dynamodb:GetRecords/],
  ])('with a function that may not read %s', async (_, action, message) => {
    const { folder, remove } = await changedApp((resources) => {
      const name = action.startsWith('sqs') ? worker : 'event-publisher';
      for (const statement of statementsOf(resources, name)) {
        if ([statement.Action].flat().includes(action)) statement.Action = statement.Action.filter((one: string) => one !== action);
      }
    });
    const env = { PORT: '0', DATA_DIR: ':memory:' };
    await expect(startLocalStack({ env, app: folder, log: () => undefined })).rejects.toThrow(message);
    await remove();
  });

  test('with a secret that a function refuses, in the words of the function and without the secret', async () => {
    const { folder, remove } = await changedApp();
    const secret = 'sk_live_0123456789abcdef';
    const env = { PORT: '0', DATA_DIR: ':memory:', PAYMENT_SECRET_KEY: secret };
    const outcome = startLocalStack({ env, app: folder, log: () => undefined });
    await expect(outcome).rejects.toThrow(/^The function [\w-]+ does not start: .*PAYMENT_SECRET_KEY is a live-mode key/);
    await expect(outcome).rejects.not.toThrow(secret);
    await remove();
  });
});
