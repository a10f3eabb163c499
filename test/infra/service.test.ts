import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Capture, Match, type Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { secretSettings } from '../../shared/config.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { logMessages } from '../../shared/log-messages.ts';
import { constructAt, operatorSettings, type Synthesized, synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(60_000);
interface Statement {
  Action: string | string[];
  Resource: unknown;
}
const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** The actions that the function's role allows, but those of its log. */
function actionsOf(template: Template, name: string): string[] {
  const id = name.replaceAll('-', '');
  const policies = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([logicalId]) => logicalId.startsWith(`${id}Role`));
  const statements: Statement[] = policies.flatMap(([, policy]) => policy['Properties'].PolicyDocument.Statement);
  return statements.flatMap(({ Action }) => list(Action)).filter((action) => !action.startsWith('logs:'));
}

describe('the deployed service', () => {
  let service: Synthesized;
  beforeAll(async () => {
    service = await synthesizeAt('staging');
  });
  const both = () => [service.templates.api, service.templates.workers];
  const lambdas = () => both().flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')));
  const nameOf = (lambda: any) => lambda.Properties.Description.replace('license-service ', '');

  test('keeps one table, on demand, recoverable, and never deleted with the stack', () => {
    service.templates.data.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
    service.templates.data.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
        GlobalSecondaryIndexes: [Match.objectLike({ IndexName: 'list' }), Match.objectLike({ IndexName: 'pending' })],
        Replicas: [
          Match.objectLike({ DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
        ],
      },
    });
  });

  test('keeps files in a private, versioned bucket', () => {
    service.templates.data.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: Match.objectLike({
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      }),
    });
  });

  test('gives every queue dead letters for 14 days after five attempts, and time for six runs of its worker', () => {
    const queues = Object.values(service.templates.data.findResources('AWS::SQS::Queue'));
    const served = queues.filter((queue) => queue['Properties'].RedrivePolicy);
    expect(queues).toHaveLength(served.length * 2);
    for (const { Properties } of served) expect(Properties.RedrivePolicy.maxReceiveCount).toBe(5);
    for (const { Properties } of queues.filter((queue) => !served.includes(queue)))
      expect(Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
    const timeouts = Object.values(service.templates.workers.findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Timeout,
    );
    const visibilities = served.map(({ Properties }) => Properties.VisibilityTimeout);
    for (const visibility of visibilities) expect(timeouts).toContain(visibility / 6);
  });

  test('runs every function on Node 24, arm64, and API functions within the time the gateway has', () => {
    expect(lambdas().map(nameOf).sort()).toEqual(service.functions.map(({ name }) => name).sort());
    for (const { Properties } of lambdas()) expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    service.templates.api.allResourcesProperties('AWS::Lambda::Function', { Timeout: 25 });
  });

  test('gives a function exactly the settings it names', () => {
    for (const lambda of lambdas()) {
      const { settingNames } = service.functions.find(({ name }) => name === nameOf(lambda))!;
      const names = Object.keys(lambda['Properties'].Environment?.Variables ?? {});
      expect(names.filter((name) => !settingNames.some((setting) => setting === name))).toEqual([]);
      const optional = settingNames.filter((name) => !names.includes(name));
      expect(
        optional.filter((name) => name in operatorSettings || secretSettings.has(name) || name.endsWith('_URL') || name === 'TABLE_NAME'),
      ).toEqual(optional.filter((name) => ['CLAMD_URL', 'TERMS_URL', 'PRIVACY_URL'].includes(name)));
    }
  });

  test('passes secrets as references, and lets a function read only those it names', () => {
    for (const [index, template] of both().entries()) {
      for (const lambda of Object.values(template.findResources('AWS::Lambda::Function'))) {
        const secrets = Object.entries<any>(lambda['Properties'].Environment?.Variables ?? {}).filter(([name]) => secretSettings.has(name));
        for (const [, value] of secrets) expect(value).toEqual({ 'Fn::ImportValue': expect.stringContaining('ExportsOutputRef') });
        const reads = actionsOf(both()[index]!, nameOf(lambda)).includes('secretsmanager:GetSecretValue');
        expect(reads).toBe(secrets.length > 0);
      }
    }
  });

  test('allows no wildcard action, no scan, and no resource of all but actions that have none', () => {
    const policies = Object.values(service.templates).flatMap((template) => Object.values(template.findResources('AWS::IAM::Policy')));
    const statements: Statement[] = policies.flatMap((policy) => policy['Properties'].PolicyDocument.Statement);
    const actions = statements.flatMap(({ Action }) => list(Action));
    expect(actions.filter((action) => action.includes('*') || action === 'dynamodb:Scan')).toEqual([]);
    expect(
      statements
        .filter(({ Resource }) => list(Resource).includes('*'))
        .map(({ Action }) => Action)
        .sort(),
    ).toEqual(['guardduty:SendObjectMalwareScan', 'ses:GetAccount']);
  });

  test('routes every endpoint, OPTIONS on each path, and everything else to one answer', () => {
    const keys = Object.values(service.templates.api.findResources('AWS::ApiGatewayV2::Route')).map(
      ({ Properties }) => Properties.RouteKey,
    );
    const routes = service.functions.flatMap((definition) => definition.routes);
    const expected = [
      ...routes.map(({ method, path }) => `${method} ${path}`),
      ...new Set(routes.map(({ path }) => `OPTIONS ${path}`)),
      '$default',
    ];
    expect(keys.sort()).toEqual(expected.sort());
    service.templates.api.resourceCountIs('AWS::ApiGatewayV2::Authorizer', 0);
  });

  test('takes HEAD on pages, files and what caches may keep, and on nothing else', async () => {
    const keys = Object.values(service.templates.api.findResources('AWS::ApiGatewayV2::Route')).map(
      ({ Properties }): string => Properties.RouteKey,
    );
    const heads = keys.filter((key) => key.startsWith('HEAD ')).map((key) => key.slice('HEAD '.length));
    const served: Endpoint[] = [];
    for (const { entry } of service.functions) {
      const routesFile = entry.replace('handler.ts', 'routes.ts');
      if (existsSync(routesFile)) served.push(...(await import(routesFile)).routes);
    }
    const kept = served.filter(({ cacheSeconds, success }) => cacheSeconds !== undefined || success.contentType !== undefined);
    expect(heads.sort()).toEqual(
      kept
        .filter(({ method }) => method === 'GET')
        .map(({ path }) => path)
        .sort(),
    );
    expect(heads).toEqual(expect.arrayContaining(['/.well-known/jwks.json', '/docs', '/openapi.json', '/p/{slug}', '/assets/{name}']));
    for (const path of ['/healthz', '/readyz', '/v1/sellers/me', '/v1/products', '/v1/admin/orders']) {
      expect(keys).toContain(`GET ${path}`);
      expect(heads).not.toContain(path);
    }
  });

  test('limits the rate of every route, and of some by numbers of their own', () => {
    const settings = new Capture();
    service.templates.api.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      RouteSettings: settings,
      DefaultRouteSettings: { ThrottlingBurstLimit: 1000, ThrottlingRateLimit: 500 },
    });
    const rates = Object.entries(settings.asObject()).map(([route, { ThrottlingRateLimit }]) => [route, ThrottlingRateLimit]);
    expect(Object.fromEntries(rates)).toEqual({
      'POST /v1/licenses/validate': 2000,
      'POST /v1/licenses/activate': 1000,
      'POST /v1/purchases/resend-link': 20,
      'POST /v1/products/{product_id}/code-batches': 20,
    });
  });

  test('logs routes and never paths, addresses or headers', () => {
    const format = new Capture();
    service.templates.api.hasResourceProperties('AWS::ApiGatewayV2::Stage', { AccessLogSettings: { Format: format } });
    expect(format.asString()).not.toMatch(/path|sourceIp|identity|authorizer|userAgent/i);
  });

  test('feeds each worker from its queue with partial batch responses, and the sweeper from a schedule', () => {
    service.templates.workers.resourceCountIs('AWS::Lambda::EventSourceMapping', 8);
    service.templates.workers.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    service.templates.workers.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
  });

  test('tells the publisher of new events alone, by the keys of what is written to the table', () => {
    service.templates.data.hasResourceProperties('AWS::DynamoDB::GlobalTable', { StreamSpecification: { StreamViewType: 'KEYS_ONLY' } });
    const mappings = Object.values(service.templates.workers.findResources('AWS::Lambda::EventSourceMapping'));
    const streams = mappings.filter(({ Properties }) => Properties.StartingPosition !== undefined);
    expect(streams.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({ StartingPosition: 'TRIM_HORIZON', MaximumRetryAttempts: 2, BatchSize: 100 }),
    ]);
    const { EventSourceArn, FunctionName, FilterCriteria } = streams[0]?.['Properties'] ?? {};
    expect([JSON.stringify(EventSourceArn), JSON.stringify(FunctionName)]).toEqual([
      expect.stringMatching(/StreamArn/),
      expect.stringMatching(/eventpublisher/),
    ]);
    expect(FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'JOB#publish-event:' }] } } } },
    ]);
  });

  test('lets the publisher read the stream and no other function', () => {
    const readers = service.functions.filter(({ name }) =>
      both().some((template) => actionsOf(template, name).some((action) => action.startsWith('dynamodb:GetRecords'))),
    );
    expect(readers.map(({ name }) => name)).toEqual(['event-publisher']);
  });

  test('has in every alarm what users lose, and a topic that it notifies', () => {
    const alarms = Object.values(service.templates.operations.findResources('AWS::CloudWatch::Alarm'));
    expect(alarms.length).toBeGreaterThan(15);
    for (const { Properties } of alarms) {
      expect(Properties.AlarmDescription).toMatch(/^[A-Z].+\. .+[.?] Runbook: \S+$/);
      expect(Properties.AlarmActions).toHaveLength(1);
    }
  });

  test('counts what every API function refuses, and tells of a flood of it', () => {
    const all = Object.values(service.templates.api.findResources('AWS::Logs::MetricFilter')).map(({ Properties }) => Properties);
    const filters = all.filter(({ FilterPattern }) => FilterPattern.includes('$.message'));
    const functions = service.templates.api.findResources('AWS::Lambda::Function');
    const logs = Object.values(functions).map(({ Properties }) => JSON.stringify(Properties.LoggingConfig.LogGroup));
    expect(filters.map(({ LogGroupName }) => JSON.stringify(LogGroupName)).sort()).toEqual(logs.sort());
    const { MetricName, MetricNamespace } = filters[0]?.MetricTransformations[0] ?? {};
    for (const { FilterPattern, MetricTransformations } of filters) {
      expect(FilterPattern).toBe('{ $.message = "request_refused" }');
      expect(MetricTransformations).toMatchObject([{ MetricName, MetricNamespace, MetricValue: '1' }]);
    }
    service.templates.operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName,
      Namespace: MetricNamespace,
      Statistic: 'Sum',
      Period: 300,
      Threshold: 500,
      ComparisonOperator: 'GreaterThanThreshold',
    });
  });

  test('names only log messages that exist, in the texts of alarms', () => {
    const alarms = Object.values(service.templates.operations.findResources('AWS::CloudWatch::Alarm'));
    const told = alarms.flatMap(({ Properties }) => Properties.AlarmDescription.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []);
    expect(told.toSorted()).toEqual([
      'approved_file_infected',
      'event_not_delivered',
      'job_not_sent',
      'job_not_taken',
      'job_postponed',
      'job_throttled',
      'license_not_issued',
      'mail_reported',
      'mail_reported',
      'request_failed',
      'request_refused',
      'request_refused',
      'sweep_finished',
    ]);
    for (const message of told) expect(logMessages).toContain(message);
  });

  test('leaves no finding of the best-practice checks without a stated reason', async () => {
    const { app } = await constructAt('staging');
    const { violations } = new AwsSolutionsChecks(app).validateScope(app);
    expect(violations).toEqual([]);
  });
});

describe('a deployment that could not start', () => {
  test('is refused with the names of all settings that are missing', async () => {
    await expect(synthesizeAt('production', { AUTH_MODE: 'oidc' })).rejects.toThrow(
      /^Configuration refused: (?=.*ADMIN_ALLOWLIST is missing)(?=.*PUBLIC_BASE_URL is missing)(?=.*MAIL_FROM is missing)/,
    );
  });

  test.each([{ AUTH_MODE: 'local' }, { PAYMENT_API_BASE: 'http://127.0.0.1:1' }])('is refused with %j', async (setting) => {
    await expect(synthesizeAt('staging', { ...operatorSettings, ...setting })).rejects.toThrow('needs STAGE local');
  });
});

test('at stage local every setting of the operator is left to the local stack', async () => {
  const { templates } = await synthesizeAt('local');
  const lambdas = [templates.api, templates.workers].flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')));
  const values = lambdas.flatMap((lambda) => Object.values(lambda['Properties'].Environment?.Variables ?? {}));
  expect(values.filter((value) => typeof value === 'string' && value !== '')).toEqual([]);
  templates.data.resourceCountIs('AWS::SecretsManager::Secret', secretSettings.size);
});
