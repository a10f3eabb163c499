import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { countedRules } from '../../../infra/constructs/edge/firewall.ts';
import { type Endpoint, isPrivate } from '../../../shared/http/endpoint.ts';
import { type Synthesized, synthesizeAt } from '../../support/synthesized.ts';
import { edge, edgeOf, only, type Properties, settings, variablesOf } from './edge-templates.ts';

jest.setTimeout(60_000);
const root = join(import.meta.dirname, '..', '..', '..');

const stage = 'production';

describe('the edge', () => {
  let service: Synthesized;
  let template: Template;
  let distribution: Properties;
  beforeAll(async () => {
    service = await synthesizeAt(stage, settings);
    template = edgeOf(service);
    distribution = only(template, 'AWS::CloudFront::Distribution')['DistributionConfig'];
  });

  test('is in us-east-1, where certificate, firewall and metrics of the CDN are', () => {
    expect(service.stacks.edge!.environment.region).toBe('us-east-1');
  });

  test('answers under the domain, in HTTP/2 and 3, over IPv6, with TLS 1.2 or later alone', () => {
    expect(distribution).toMatchObject({
      Aliases: [edge.EDGE_DOMAIN],
      HttpVersion: 'http2and3',
      IPV6Enabled: true,
      ViewerCertificate: { AcmCertificateArn: edge.EDGE_CERTIFICATE_ARN, MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    for (const { ViewerProtocolPolicy } of behaviorsOf(distribution)) expect(ViewerProtocolPolicy).toBe('redirect-to-https');
  });

  test('asks the API over TLS, with the secret that is replicated there', () => {
    const secret = `license-service/${stage}/ORIGIN_SECRET`;
    expect(distribution['Origins']).toEqual([
      expect.objectContaining({
        DomainName: 'abc123.execute-api.eu-west-1.amazonaws.com',
        CustomOriginConfig: expect.objectContaining({ OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] }),
        OriginCustomHeaders: [{ HeaderName: 'X-Origin-Secret', HeaderValue: `{{resolve:secretsmanager:${secret}:SecretString:::}}` }],
      }),
    ]);
    const kept = Object.values(service.templates.data.findResources('AWS::SecretsManager::Secret'));
    const replicated = kept.filter(({ Properties }) => Properties.ReplicaRegions !== undefined).map(({ Properties }) => Properties);
    expect(replicated).toEqual([
      expect.objectContaining({
        Name: secret,
        ReplicaRegions: { 'Fn::If': ['IsNotAtEdge', [{ Region: 'us-east-1' }], { Ref: 'AWS::NoValue' }] },
      }),
    ]);
    expect(service.templates.data.findConditions('IsNotAtEdge')).toEqual({
      IsNotAtEdge: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] }] },
    });
  });

  test('stands before the API refuses what does not come through it, and every function with endpoints refuses that', () => {
    const { data, api, edge: own } = service.stacks;
    expect(api.dependencies).toContain(own);
    expect(own!.dependencies.filter((artifact) => artifact instanceof CloudFormationStackArtifact)).toEqual([data]);
    const variables = variablesOf(service);
    expect(variables.length).toBe(service.functions.filter(({ routes }) => routes.length > 0).length);
    for (const { ORIGIN_REQUIRED, ORIGIN_SECRET } of variables) {
      expect([ORIGIN_REQUIRED, ORIGIN_SECRET]).toEqual(['true', { 'Fn::ImportValue': expect.stringContaining('ORIGINSECRET') }]);
    }
  });

  test('tells the origin who asks, whatever the viewer claims, and passes all other headers but Host', () => {
    const functions = template.findResources('AWS::CloudFront::Function');
    const [[id, { Properties }]] = Object.entries(functions) as [[string, { Properties: Properties }]];
    expect(Properties['AutoPublish']).toBe(true);
    for (const { FunctionAssociations } of behaviorsOf(distribution)) {
      expect(FunctionAssociations).toEqual([{ EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [id, 'FunctionARN'] } }]);
    }
    const claimed = { 'true-client-ip': { value: '203.0.113.9' }, 'cloudfront-viewer-address': { value: '203.0.113.9:1' } };
    const event = { viewer: { ip: '198.51.100.7' }, request: { headers: { ...claimed, accept: { value: '*/*' } } } };
    const sent = runInContext(`${Properties['FunctionCode']}; handler(event)`, createContext({ event }));
    expect(sent.headers).toEqual({ 'true-client-ip': { value: '198.51.100.7' }, accept: { value: '*/*' } });
    // AllViewerExceptHostHeader
    expect(distribution['DefaultCacheBehavior'].OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
  });

  test('gives no error of one caller to another', () => {
    const kept = distribution['CustomErrorResponses'].filter((response: Properties) => response['ErrorCachingMinTTL'] !== 0);
    expect(kept).toEqual([]);
    const named = distribution['CustomErrorResponses'].map(({ ErrorCode }: Properties) => ErrorCode);
    expect(named).toEqual([400, 403, 404, 405, 414, 500, 501, 502, 503, 504]);
  });

  describe('caches', () => {
    const endpoints: Endpoint<any>[] = [];
    beforeAll(async () => {
      for (const file of globSync('functions/*/routes.ts', { cwd: root })) endpoints.push(...(await import(join(root, file))).routes);
    });
    const policyOf = (path: string) => {
      const { CachePolicyId } = behaviorFor(distribution, path);
      // CachingDisabled
      if (CachePolicyId === '4135ea2d-6df8-44a3-9df3-4b5a84be39ad') return undefined;
      const { CachePolicyConfig } = template.findResources('AWS::CloudFront::CachePolicy')[CachePolicyId.Ref]!['Properties'];
      return CachePolicyConfig;
    };
    const pathOf = (path: string) => path.replace(/\{\w+\+?\}/g, 'x');

    test('nothing that is meant for one caller, and nothing that is not read', () => {
      expect(policyOf('/no-such-path')).toBeUndefined();
      const cached = endpoints.filter(({ path }) => policyOf(pathOf(path)));
      expect(cached.filter((endpoint) => isPrivate(endpoint) || endpoint.method !== 'GET').map(({ path }) => path)).toEqual([]);
      expect(policyOf('/p/x/checkout')).toBeUndefined();
      expect(policyOf('/v1/public/products/x/checkout')).toBeUndefined();
    });

    test('what may be kept by any cache, and files, for as long as the reply says', () => {
      const kept = endpoints.filter(({ cacheSeconds }) => cacheSeconds !== undefined).map(({ path }) => path);
      const paths = [
        ...kept,
        '/p/{slug}',
        '/assets/{name}',
        '/console/assets/{name}',
        '/docs/{asset}',
        '/images/{product_id}/{file_id}/{name}',
      ];
      expect(paths).toEqual(expect.arrayContaining(['/openapi.json', '/.well-known/jwks.json', '/docs', '/v1/public/products/{slug}']));
      for (const path of paths) {
        expect({ path, ...policyOf(pathOf(path)) }).toMatchObject({ path, MinTTL: 0, DefaultTTL: 0, MaxTTL: 31_536_000 });
        const { CookiesConfig, ...gzip } = policyOf(pathOf(path)).ParametersInCacheKeyAndForwardedToOrigin;
        expect([CookiesConfig.CookieBehavior, gzip.EnableAcceptEncodingGzip, behaviorFor(distribution, pathOf(path)).Compress]).toEqual([
          'none',
          true,
          true,
        ]);
      }
    });

    test('pages in each language, by query and browser, and files once for everybody', () => {
      // A page that answers by a parameter would otherwise be given to those who asked for another.
      const byQuery = endpoints.filter(({ path, query }) => query && policyOf(pathOf(path))).map(({ path }) => path);
      expect(byQuery.sort()).toEqual([
        '/docs',
        '/docs/sellers',
        '/docs/updates',
        '/p/{slug}',
        '/p/{slug}/releases',
        '/v1/public/products/{slug}/releases',
      ]);
      for (const path of byQuery) {
        expect(policyOf(pathOf(path)).ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
          HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Accept-Language'] },
          QueryStringsConfig: { QueryStringBehavior: 'all' },
        });
      }
      for (const path of ['/assets/x', '/images/x/y/z', '/openapi.json', '/.well-known/jwks.json', '/v1/public/products/x']) {
        expect(policyOf(path).ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
          HeadersConfig: { HeaderBehavior: 'none' },
          QueryStringsConfig: { QueryStringBehavior: 'none' },
        });
      }
    });

    test('by nothing that the origin sees beside it, but who asked', () => {
      const { OriginRequestPolicyConfig: policy } = only(template, 'AWS::CloudFront::OriginRequestPolicy');
      expect(policy).toMatchObject({
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['True-Client-IP'] },
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
      });
      const cached = behaviorsOf(distribution).filter(({ CachePolicyId }) => typeof CachePolicyId !== 'string');
      expect(cached.map(({ OriginRequestPolicyId }) => typeof OriginRequestPolicyId)).toEqual(cached.map(() => 'object'));
    });

    test('and lets every method through, so that unknown ones get our own reply', () => {
      for (const { AllowedMethods, CachedMethods } of behaviorsOf(distribution)) {
        expect(AllowedMethods.toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
        expect(CachedMethods ?? ['GET', 'HEAD']).toEqual(['GET', 'HEAD']);
      }
    });
  });

  describe('has a firewall', () => {
    let acl: Properties;
    let rules: Record<string, Properties>;
    beforeAll(() => {
      acl = only(template, 'AWS::WAFv2::WebACL');
      rules = Object.fromEntries(acl['Rules'].map((rule: Properties) => [rule['Name'], rule]));
    });
    /** Whether a scope-down statement takes a path. */
    const takes = (statement: Properties | undefined, path: string): boolean => {
      if (statement === undefined) return true;
      if (statement['NotStatement']) return !takes(statement['NotStatement'].Statement, path);
      if (statement['OrStatement']) return statement['OrStatement'].Statements.some((each: Properties) => takes(each, path));
      const { FieldToMatch, PositionalConstraint, SearchString, TextTransformations } = statement['ByteMatchStatement'];
      expect(FieldToMatch).toEqual({ UriPath: {} });
      const types = TextTransformations.map(({ Type }: Properties) => Type);
      const read = types.includes('URL_DECODE') ? decodeURIComponent(path) : path;
      const normal = types.includes('NORMALIZE_PATH') ? new URL(read, 'https://x').pathname : read;
      return PositionalConstraint === 'EXACTLY' ? normal === SearchString : normal.startsWith(SearchString);
    };
    const scopeOf = (name: string) => Object.values<Properties>(rules[name]!['Statement'])[0]!['ScopeDownStatement'];
    const takenBy = (name: string, path: string) => takes(scopeOf(name), path);

    test('that the CDN asks, which lets through what no rule blocks and keeps no request', () => {
      const [[id]] = Object.entries(template.findResources('AWS::WAFv2::WebACL')) as [[string, unknown]];
      expect(distribution['WebACLId']).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
      expect(acl).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
      for (const { VisibilityConfig } of [acl, ...Object.values(rules)] as Properties[]) {
        expect(VisibilityConfig).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false });
      }
      template.resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
    });

    test('that limits each address to 600 license checks and 1,200 requests a minute, and says when to come back', () => {
      for (const [name, limit] of [
        ['LicenseRate', 600],
        ['Rate', 1200],
      ] as const) {
        expect(rules[name]!['Statement'].RateBasedStatement).toMatchObject({
          AggregateKeyType: 'IP',
          Limit: limit,
          EvaluationWindowSec: 60,
        });
        const { ResponseCode, ResponseHeaders } = rules[name]!['Action'].Block.CustomResponse;
        expect([ResponseCode, ResponseHeaders]).toEqual([429, expect.arrayContaining([{ Name: 'Retry-After', Value: '60' }])]);
      }
    });

    test.each([
      ['/v1/licenses/validate', ['LicenseRate', 'Rate', 'Common']],
      ['/v1/%6cicenses/validate', ['LicenseRate', 'Rate', 'Common']],
      ['/v1/products/../licenses/validate', ['LicenseRate', 'Rate', 'Common']],
      ['/v1/licenses/../admin/orders', ['Rate', 'Reputation', 'Common']],
      ['/v1/purchases/complete', ['Rate', 'Reputation', 'Common']],
      ['/p/x', ['Rate', 'Reputation', 'Common']],
      ['/v1/payment/webhook', ['Common']],
      ['/v1/payment/connect/webhook', ['Common']],
      ['/v1/payment/webhook/../../products', ['Rate', 'Reputation', 'Common']],
    ])('of whose rules %s meets %j', (path, expected) => {
      expect(Object.keys(rules).filter((name) => takenBy(name, path))).toEqual(expected);
    });

    test('that has no limit for webhooks, all of whose endpoints verify a signature', async () => {
      const { routes } = await import(join(root, 'functions/payment-webhooks/routes.ts'));
      expect(routes.filter(({ path }: Endpoint) => takenBy('Rate', path))).toEqual([]);
      expect(routes.filter(({ verify }: Endpoint) => !verify)).toEqual([]);
    });

    test('that asks the rules of AWS, of which those only count that would refuse what callers send rightly', () => {
      const groups = ['Reputation', 'Common'].map((name) => rules[name]!['Statement'].ManagedRuleGroupStatement);
      expect(groups).toMatchObject([
        { VendorName: 'AWS', Name: 'AWSManagedRulesAmazonIpReputationList' },
        { VendorName: 'AWS', Name: 'AWSManagedRulesCommonRuleSet' },
      ]);
      for (const name of ['Reputation', 'Common']) expect(rules[name]!['OverrideAction']).toEqual({ None: {} });
      expect(groups[0].RuleActionOverrides).toBeUndefined();
      const counted = groups[1].RuleActionOverrides.map(({ Name, ActionToUse }: Properties) => [Name, ActionToUse]);
      expect(counted).toEqual(Object.keys(countedRules).map((name) => [name, { Count: {} }]));
      // What a body may hold is for handlers to judge; whatever else callers send is blocked, but that apps name no program.
      expect(Object.keys(countedRules).filter((name) => !name.endsWith('_BODY'))).toEqual([
        'NoUserAgent_HEADER',
        'RestrictedExtensions_URIPATH',
      ]);
      for (const reason of Object.values(countedRules)) expect(reason).toMatch(/^[A-Z].{30,}\.$/);
    });

    test('with priorities of which none is given twice, limits first', () => {
      const sorted = Object.values(rules).toSorted((a, b) => a['Priority'] - b['Priority']);
      expect(sorted.map(({ Priority }) => Priority)).toEqual([0, 1, 2, 3]);
      expect(sorted.slice(0, 2).map(({ Name }) => Name)).toEqual(['LicenseRate', 'Rate']);
    });
  });

  describe('logs', () => {
    test('addresses, and no path, query, cookie or referrer', () => {
      const { RecordFields: fields } = only(template, 'AWS::Logs::Delivery');
      expect(fields).toEqual(expect.arrayContaining(['c-ip', 'cs-method', 'sc-status']));
      expect(fields.filter((field: string) => /uri|query|cookie|referer|x-forwarded-for|log-data/i.test(field))).toEqual([]);
      const spec: any = loadAwsServiceSpecSync().lookup('resource', 'cloudFormationType', 'equals', 'AWS::CloudFront::Distribution').only();
      const known = spec.vendedLogs.find(({ logType }: { logType: string }) => logType === 'ACCESS_LOGS').optionalFields;
      expect(fields.filter((field: string) => !known.includes(field))).toEqual([]);
    });

    test('for 30 days, where the delivery of the distribution’s log may write', () => {
      const [[group, { Properties }]] = Object.entries(template.findResources('AWS::Logs::LogGroup')) as [[string, any]];
      expect(Properties.RetentionInDays).toBe(30);
      expect(only(template, 'AWS::Logs::DeliverySource')['LogType']).toBe('ACCESS_LOGS');
      expect(only(template, 'AWS::Logs::DeliveryDestination')['DestinationResourceArn']).toEqual({ 'Fn::GetAtt': [group, 'Arn'] });
      const policy = JSON.stringify(only(template, 'AWS::Logs::ResourcePolicy')['PolicyDocument']);
      for (const part of ['delivery.logs.amazonaws.com', 'logs:PutLogEvents', 'logs:CreateLogStream', 'aws:SourceAccount', group]) {
        expect(policy).toContain(part);
      }
    });
  });
});

const behaviorsOf = (distribution: Properties): Properties[] => [distribution['DefaultCacheBehavior'], ...distribution['CacheBehaviors']];

/** The first whose pattern takes the path, as the CDN chooses. */
function behaviorFor(distribution: Properties, path: string): Properties {
  const patternOf = (text: string) => new RegExp(`^${text.replace(/[.\\+]/g, '\\$&').replaceAll('*', '.*')}$`);
  return (
    distribution['CacheBehaviors'].find(({ PathPattern }: Properties) => patternOf(PathPattern).test(path)) ??
    distribution['DefaultCacheBehavior']
  );
}
