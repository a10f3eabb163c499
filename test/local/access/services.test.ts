import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { type LocalStack, startLocalStack } from '../../../infra/local/stack.ts';
import { type Change, changedApp, type GuardedEngines, startGuardedEngines } from '../../support/access/changed-app.ts';

jest.setTimeout(180_000);

const account = '000000000000';

describe('the gateway calls a function', () => {
  let stack: LocalStack | undefined;
  let folder: Awaited<ReturnType<typeof changedApp>> | undefined;
  const startWith = async (change?: Change) => {
    folder = await changedApp(change);
    stack = await startLocalStack({ env: { PORT: '0', DATA_DIR: ':memory:' }, app: folder.folder, log: () => undefined });
    return stack.address;
  };
  afterEach(async () => {
    await stack?.stop();
    await folder?.remove();
  });
  const get = async (url: string, accept = '*/*') => {
    const reply = await fetch(url, { headers: { accept } });
    return [reply.status, await reply.text()];
  };
  const refused = [500, '{"message":"Internal Server Error"}'];

  test('for each route that the function’s policy names, the one of everything else too', async () => {
    const address = await startWith();
    expect(await get(`${address}/healthz`)).toEqual([200, expect.anything()]);
    expect(await get(`${address}/nowhere`)).toEqual([404, expect.stringContaining('route_not_found')]);
    expect(await get(`${address}/nowhere`, 'text/html')).toEqual([404, expect.stringContaining('<html')]);
  });

  test('not where the policy names the routes with a method alone, or another function', async () => {
    const address = await startWith((resources) => {
      for (const { Type, logicalId, Properties } of resources) {
        if (Type !== 'AWS::Lambda::Permission') continue;
        if (logicalId.startsWith('DefaultRoute')) {
          Properties.SourceArn = JSON.parse(JSON.stringify(Properties.SourceArn).replace('/*/*', '/*/*/*'));
        }
        if (logicalId.includes('health')) Properties.Principal = 'events.amazonaws.com';
      }
    });
    expect(await get(`${address}/healthz`)).toEqual(refused);
    expect(await get(`${address}/nowhere`)).toEqual(refused);
    expect(await get(`${address}/docs`)).toEqual([200, expect.anything()]);
  });
});

describe('a service', () => {
  const started: GuardedEngines[] = [];
  afterAll(() => Promise.all(started.map((engines) => engines.stop())));
  const startWith = async (change: Change) => {
    const engines = await startGuardedEngines(change);
    started.push(engines);
    return engines;
  };

  test('runs the sweeper for the rule that its policy names, and for no other', async () => {
    const { engines, made } = await startWith(() => undefined);
    const resource = made('AWS::Lambda::Alias', 'sweeperLive').ref;
    const invoke = (service: string, sourceArn: string) =>
      engines.control.access.authorize({ service, sourceArn }, { action: 'lambda:InvokeFunction', resource });
    const rule = made('AWS::Events::Rule', 'SweepSchedule').attributes['Arn'] ?? '';
    invoke('events.amazonaws.com', rule);
    expect(() => invoke('events.amazonaws.com', `${rule}2`)).toThrow('because no resource-based policy allows');
    expect(() => invoke('scheduler.amazonaws.com', rule)).toThrow('not authorized to perform: lambda:InvokeFunction');
  });

  const publish = async (statements: object[]) => {
    const { engines, made } = await startWith((resources) => {
      const { Properties } = resources.find(({ Type }) => Type === 'AWS::SNS::TopicPolicy')!;
      const Resource = Properties.PolicyDocument.Statement[0].Resource;
      Properties.PolicyDocument.Statement = statements.map((statement) => ({ ...statement, Resource }));
    });
    const resource = made('AWS::SNS::Topic', 'Alarms').ref;
    const sourceArn = made('AWS::CloudWatch::Alarm', 'DeadJobs').attributes['Arn'] ?? '';
    return () => engines.control.access.authorize({ service: 'cloudwatch.amazonaws.com', sourceArn }, { action: 'sns:Publish', resource });
  };
  const secure = { Effect: 'Deny', Principal: '*', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
  const forAlarms = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' };

  test('publishes alarms to a topic whose policy lets it, for alarms of this account', async () => {
    expect(await publish([secure, { ...forAlarms, Condition: { StringEquals: { 'aws:SourceAccount': account } } }])).not.toThrow();
    expect(await publish([secure, { ...forAlarms, Condition: { StringEquals: { 'aws:SourceAccount': '111111111111' } } }])).toThrow(
      'User: cloudwatch.amazonaws.com is not authorized to perform: sns:Publish',
    );
    expect(await publish([secure])).toThrow('because no resource-based policy allows the sns:Publish action');
  });

  test('sends events to a queue whose policy names the rule', async () => {
    const rule = 'arn:aws:events:us-east-1:000000000000:rule/results';
    const { engines, made } = await startWith((resources) => {
      const { Properties } = resources.find(
        ({ Type, logicalId }) => Type === 'AWS::SQS::QueuePolicy' && logicalId.startsWith('ScanQueue'),
      )!;
      const [{ Resource }] = Properties.PolicyDocument.Statement;
      Properties.PolicyDocument.Statement.push({
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource,
        Condition: { ArnEquals: { 'aws:SourceArn': rule } },
      });
    });
    const send = (queue: string, sourceArn: string) => () =>
      engines.control.access.authorize(
        { service: 'events.amazonaws.com', sourceArn },
        { action: 'sqs:SendMessage', resource: made('AWS::SQS::Queue', queue).attributes['Arn'] ?? '' },
      );
    expect(send('ScanQueue', rule)).not.toThrow();
    expect(send('ScanQueue', `${rule}2`)).toThrow('sqs:SendMessage');
    expect(send('MailQueue', rule)).toThrow('sqs:SendMessage');
  });
});
