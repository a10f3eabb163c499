import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { StartError } from '../../../infra/local/engines/engine.ts';
import { createFunctions } from '../../../infra/local/lambda/function-host.ts';
import { startLocalStack } from '../../../infra/local/stack.ts';
import { type Change, type GuardedEngines, propertiesOf, startGuardedEngines, statementsOf } from '../../support/access/changed-app.ts';
import { newFolder } from '../../support/new-folder.ts';

jest.setTimeout(120_000);

const worker = 'event-projector';
const withStatement =
  (statement: object): Change =>
  (resources) =>
    statementsOf(resources, worker).push({ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*', ...statement });
const withRole =
  (change: (role: any) => void): Change =>
  (resources) =>
    change(propertiesOf(resources, 'AWS::IAM::Role', 'eventprojectorRole'));
/** Takes an action from a function. */
const without =
  (functionName: string, action: string): Change =>
  (resources) => {
    for (const statement of statementsOf(resources, functionName)) {
      statement.Action = [statement.Action].flat().filter((one: string) => one !== action);
    }
  };

/** A DATA_DIR with these secrets. */
function keeping(secrets: Record<string, string>): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(secrets));
  return folder;
}

let started: GuardedEngines | undefined;
afterEach(async () => {
  await started?.stop();
  started = undefined;
});

/** The engines, and what is known of the functions before the first is called. */
async function start(change: Change): Promise<void> {
  started = await startGuardedEngines(change);
  const { control, settingOf } = started.engines;
  createFunctions(started.app, { control, settingOf, overrides: {}, runtime: {} });
}

describe('the stack does not start', () => {
  test.each<[string, Change, RegExp]>([
    [
      'a condition key that it does not know',
      withStatement({ Condition: { StringEquals: { 'aws:SourceVpc': 'vpc-1' } } }),
      /condition on aws:SourceVpc/,
    ],
    [
      'one in the policy of a resource',
      (resources) => {
        const [statement] = propertiesOf(resources, 'AWS::SQS::QueuePolicy', 'MailQueue').PolicyDocument.Statement;
        statement.Condition = { Bool: { 'aws:ViaAWSService': 'false' } };
      },
      /MailQueuePolicy\w* has a condition on aws:ViaAWSService/,
    ],
    ['an effect that there is not', withStatement({ Effect: 'Permit' }), /would be refused/],
    [
      'rights from outside the templates',
      withRole((role) => Object.assign(role, { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] })),
      /eventprojectorRole\w* cannot be enforced here/,
    ],
    [
      'a boundary of rights',
      withRole((role) => Object.assign(role, { PermissionsBoundary: 'arn:aws:iam::000000000000:policy/b' })),
      /cannot be enforced here/,
    ],
    [
      'a role that Lambda may not assume',
      withRole(({ AssumeRolePolicyDocument: { Statement } }) =>
        Object.assign(Statement[0], { Principal: { Service: 'ec2.amazonaws.com' } }),
      ),
      /event-projector cannot run: Lambda may not assume its role/,
    ],
    [
      'a function that may not write its log',
      without(worker, 'logs:PutLogEvents'),
      /event-projector could not write its log: User: .* is not authorized to perform: logs:PutLogEvents/,
    ],
    [
      'a function that may not read its queue',
      without(worker, 'sqs:DeleteMessage'),
      /event-projector cannot be fed from .*WebhookQueue.*sqs:DeleteMessage/,
    ],
    [
      'a function that may not read its stream',
      without('event-publisher', 'dynamodb:GetRecords'),
      /event-publisher cannot be fed from .*stream.*dynamodb:GetRecords/,
    ],
  ])('with %s', async (_, change, message) => {
    const outcome = start(change);
    await expect(outcome).rejects.toThrow(message);
    await expect(outcome).rejects.toBeInstanceOf(StartError);
  });

  test.each([
    [{ PORT: 'http' }, /^Configuration refused: PORT is malformed\.$/],
    [
      { PUBLIC_BASE_URL: 'many', LOCAL_TOKEN_SECONDS: 'many', SQS_ENDPOINT: 'many', ROLLOUT: 'many', EDGE_RATE: 'many', MAIL_FROM: 'many' },
      /^Configuration refused: LOCAL_TOKEN_SECONDS is malformed; SQS_ENDPOINT is malformed; ROLLOUT is malformed; EDGE_RATE is malformed; PUBLIC_BASE_URL is malformed; MAIL_FROM is malformed\.$/,
    ],
    [
      { PORT: '65536', LOCAL_TOKEN_SECONDS: '86401', S3_ENDPOINT: 'ftp://127.0.0.1' },
      /^Configuration refused: PORT is malformed; LOCAL_TOKEN_SECONDS is malformed; S3_ENDPOINT is malformed\.$/,
    ],
    [{ PUBLIC_BASE_URL: '', MAIL_FROM: '' }, /^Configuration refused: PUBLIC_BASE_URL is missing; MAIL_FROM is missing\.$/],
    [{ DATA_DIR: '/dev/null' }, /^DATA_DIR cannot be used/],
    [{ RATE_LIMIT_HEALTH: 'many' }, /^Configuration refused: RATE_LIMIT_HEALTH is malformed\.$/],
    [{ OIDC_ISSUER: 'many' }, /^Configuration refused: OIDC_ISSUER is malformed\.$/],
    [
      { DATA_DIR: keeping({ TOKEN_KEYS: 'many' }) },
      /^The function [\w-]+ does not start: Configuration refused: TOKEN_KEYS is malformed\.$/,
    ],
    [{ PAYMENT_SECRET_KEY: 'sk_live_0123456789abcdef' }, /^Configuration refused: PAYMENT_SECRET_KEY is a live-mode key/],
    [{ DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }, /^DYNAMODB_ENDPOINT cannot be used: /],
    [{ DYNAMODB_ENDPOINT: 'nowhere' }, /^Configuration refused: DYNAMODB_ENDPOINT is malformed\.$/],
    [{ SQS_ENDPOINT: 'http://127.0.0.1:1' }, /^SQS_ENDPOINT cannot be used: /],
    [{ S3_ENDPOINT: 'http://127.0.0.1:1' }, /^S3_ENDPOINT cannot be used: /],
  ])('with %j, and says so in one line, of a function’s setting without its value', async (setting, message) => {
    const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
    const env = { PORT: '0', DATA_DIR: ':memory:', DYNAMODB_ENDPOINT: engine, ...setting };
    const outcome = startLocalStack({ env, log: () => undefined });
    await expect(outcome).rejects.toBeInstanceOf(StartError);
    await expect(outcome).rejects.toThrow(message);
    const told = await outcome.catch((error: Error) => error.message);
    expect(told).not.toContain('\n');
    for (const secret of ['many', 'sk_live_0123456789abcdef']) expect(told).not.toContain(secret);
  });
});
