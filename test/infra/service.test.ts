import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Capture, Match } from 'aws-cdk-lib/assertions';
import { secretSettings } from '../../shared/config.ts';
import { type Synthesized, synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(60_000);

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

  test('sweeps every five minutes, and takes no job from a worker that runs', () => {
    service.templates.workers.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [Match.objectLike({ Input: '{}' })],
    });
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
});

test('at stage local every setting of the operator is left to the local stack', async () => {
  const { templates } = await synthesizeAt('local');
  const lambdas = [templates.api, templates.workers].flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')));
  const values = lambdas.flatMap((lambda) => Object.values(lambda['Properties'].Environment?.Variables ?? {}));
  expect(values.filter((value) => typeof value === 'string' && value !== '')).toEqual([]);
  templates.data.resourceCountIs('AWS::SecretsManager::Secret', secretSettings.size);
});
