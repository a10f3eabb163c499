import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Capture, Match } from 'aws-cdk-lib/assertions';
import { secretSettings } from '../../shared/config.ts';
import { operatorSettings, type Synthesized, synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(60_000);

/** What an HTTP API takes, and a stack. */
const mostRoutes = 300;
const mostResources = 500;

describe('the deployed service', () => {
  let service: Synthesized;
  beforeAll(async () => {
    service = await synthesizeAt('staging');
  });

  test('keeps one table, on demand, which forgets what expires', () => {
    service.templates.data.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
    service.templates.data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  test('has one route for a path, whatever is asked of it, and room for many more', async () => {
    const { api } = service.templates;
    const keys = Object.values(api.findResources('AWS::ApiGatewayV2::Route')).map(({ Properties }): string => Properties.RouteKey);
    const paths = new Set(service.functions.flatMap(({ routes }) => routes.map(({ path }) => path)));
    expect(keys.sort()).toEqual(['$default', ...[...paths].map((path) => `ANY ${path}`)].sort());
    expect(keys.length).toBeLessThan(mostRoutes / 2);
    expect(Object.keys(api.toJSON()['Resources']).length).toBeLessThan(mostResources * 0.8);
  });

  test('limits the rate of every route, and of some by numbers of their own', () => {
    const settings = new Capture();
    const made = new Capture();
    service.templates.api.hasResource('AWS::ApiGatewayV2::Stage', {
      Properties: {
        RouteSettings: settings,
        DefaultRouteSettings: { ThrottlingBurstLimit: 1000, ThrottlingRateLimit: 500, DetailedMetricsEnabled: Match.absent() },
      },
      DependsOn: made,
    });
    // The first deployment makes no stage that names a route which is not there yet.
    const routes = Object.keys(service.templates.api.findResources('AWS::ApiGatewayV2::Route'));
    expect(made.asArray()).toEqual(expect.arrayContaining(routes));
    const rates = Object.entries(settings.asObject()).map(([route, { ThrottlingRateLimit }]) => [route, ThrottlingRateLimit]);
    expect(Object.fromEntries(rates)).toEqual({
      'ANY /v1/licenses/validate': 2000,
      'ANY /v1/updates/{product_id}/{proof}/check/{channel}/{platform}/{arch}': 2000,
      'ANY /v1/licenses/activate': 1000,
      'ANY /v1/purchases/resend-link': 20,
      'ANY /v1/products/{product_id}/code-batches': 20,
    });
  });

  test('logs routes and never paths, addresses or headers', () => {
    const format = new Capture();
    service.templates.api.hasResourceProperties('AWS::ApiGatewayV2::Stage', { AccessLogSettings: { Format: format } });
    expect(format.asString()).not.toMatch(/path|sourceIp|identity|authorizer|userAgent/i);
    service.templates.api.hasResourceProperties('AWS::Logs::LogGroup', { LogGroupName: Match.stringLikeRegexp('^/aws/vendedlogs/apis/.') });
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
    const policies = Object.entries(service.templates.workers.findResources('AWS::IAM::Policy'));
    const readers = policies.filter(([, policy]) => JSON.stringify(policy).includes('dynamodb:GetRecords')).map(([id]) => id);
    expect(readers).toEqual([expect.stringMatching(/^eventpublisherRole/)]);
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
