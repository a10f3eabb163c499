import { globSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import { countedRules } from '../../../infra/constructs/edge/firewall.ts';
import { type Endpoint, isPrivate } from '../../../shared/http/endpoint.ts';
import { sanitizeFileName } from '../../../shared/product-files/storage/file-name.ts';
import { createLinks } from '../../../shared/updates/feeds/feed-addresses.ts';
import { ownSettings, synthesizeAt } from '../../support/synthesized.ts';
import type { Json } from '../../support/templates/identifiers.ts';
import { specificationOf } from '../../support/templates/identifiers.ts';
import { readService } from '../../support/templates/service.ts';
import { everySetting, stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(120_000);
const root = join(import.meta.dirname, '..', '..', '..');
const service = readService(await stacksAt('production'));
const { stacks, ofType, at, functions, definitions } = service;
const only = (type: string) => service.only(type, '-edge');

const cdn = only('AWS::CloudFront::Distribution');
const distribution: Json = cdn.properties.DistributionConfig;
const behaviors: Json[] = [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors];

/** The first behavior whose pattern takes the path, as the CDN chooses. */
function behaviorFor(path: string): Json {
  const patternOf = (text: string) => new RegExp(`^${text.replace(/[.\\+]/g, '\\$&').replaceAll('*', '.*')}$`);
  return distribution.CacheBehaviors.find(({ PathPattern }: Json) => patternOf(PathPattern).test(path)) ?? behaviors[0];
}

describe('the edge', () => {
  test('answers under the domain, in HTTP/2 and 3, over IPv6, with TLS 1.2 or later alone, and is where certificate and firewall are', () => {
    expect(cdn.region).toBe('us-east-1');
    expect(distribution).toMatchObject({
      Aliases: ['licenses.example.com'],
      HttpVersion: 'http2and3',
      IPV6Enabled: true,
      ViewerCertificate: {
        AcmCertificateArn: expect.stringContaining('arn:aws:acm:us-east-1:'),
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    });
    for (const { ViewerProtocolPolicy } of behaviors) expect(ViewerProtocolPolicy).toBe('redirect-to-https');
  });

  test('is where the domain leads in both families of addresses, where its zone is given', () => {
    const to = { Name: 'licenses.example.com.', HostedZoneId: 'Z0123456789ABC', AliasTarget: { DNSName: `${cdn.name}.DomainName` } };
    expect(ofType('AWS::Route53::RecordSet').map(({ properties }) => properties)).toMatchObject([
      { Type: 'A', ...to },
      { Type: 'AAAA', ...to },
    ]);
  });

  test('asks the API over TLS, with the secret that is replicated there, in the version that is chosen', () => {
    const secret = 'license-service/production/ORIGIN_SECRET';
    const HeaderValue = `{{resolve:secretsmanager:${secret}:SecretString:::11111111-2222-3333-4444-555555555555}}`;
    expect(distribution.Origins).toEqual([
      expect.objectContaining({
        DomainName: 'api.execute-api.eu-west-1.amazonaws.com',
        CustomOriginConfig: expect.objectContaining({ OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] }),
        OriginCustomHeaders: [{ HeaderName: 'X-Origin-Secret', HeaderValue }],
      }),
    ]);
    const replicated = ofType('AWS::SecretsManager::Secret').filter(({ properties }) => properties.ReplicaRegions);
    expect(replicated.map(({ properties: { Name, ReplicaRegions } }) => [Name, ReplicaRegions])).toEqual([
      [secret, [{ Region: 'us-east-1' }]],
    ]);
    const conditions = stacks.map(({ template }) => template.Conditions?.['IsNotAtEdge']).filter(Boolean);
    expect(conditions).toEqual([{ 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] }] }]);
  });

  test('stands before the API refuses what does not come through it, and every function with endpoints refuses that', async () => {
    const { assembly } = await synthesizeAt('production', everySetting);
    const dependenciesOf = (part: string) =>
      assembly.getStackByName(`license-service-production-${part}`).dependencies.map(({ id }) => id.split('-').at(-1));
    expect(dependenciesOf('api')).toContain('edge');
    expect(dependenciesOf('edge')).not.toContain('api');
    const answering = definitions.filter(({ routes }) => routes.length > 0).map(({ name }) => name);
    const refusing = functions.filter(
      ({ environment: { ORIGIN_REQUIRED, ORIGIN_SECRET } }) =>
        ORIGIN_REQUIRED === 'true' && at(ORIGIN_SECRET)?.properties.Name.endsWith('/ORIGIN_SECRET'),
    );
    expect(refusing.map(({ folder }) => folder).sort()).toEqual(answering.sort());
  });

  test('may be a CDN of the operator’s own, whose secret functions then demand, or none, where they take any caller', async () => {
    const required = async (settings?: Record<string, string>) => {
      const { templates, edgeTemplate } = await synthesizeAt('staging', settings);
      const variables = Object.values(templates.api.findResources('AWS::Lambda::Function')).map(
        ({ Properties }) => Properties.Environment.Variables.ORIGIN_REQUIRED,
      );
      const replicated = JSON.stringify(templates.data.toJSON()).includes('ReplicaRegions');
      return [edgeTemplate, replicated, ...new Set(variables)];
    };
    expect(await required(ownSettings)).toEqual([undefined, false, 'true']);
    expect(await required()).toEqual([undefined, false, undefined]);
  });

  test('tells the origin who asks, whatever the viewer claims, and passes all other headers but Host', () => {
    const { name, properties } = only('AWS::CloudFront::Function');
    expect(properties.AutoPublish).toBe(true);
    for (const { FunctionAssociations } of behaviors) {
      expect(FunctionAssociations).toEqual([{ EventType: 'viewer-request', FunctionARN: `${name}.FunctionARN` }]);
    }
    const claimed = { 'true-client-ip': { value: '203.0.113.9' }, 'cloudfront-viewer-address': { value: '203.0.113.9:1' } };
    const event = { viewer: { ip: '198.51.100.7' }, request: { headers: { ...claimed, accept: { value: '*/*' } } } };
    const sent = runInContext(`${properties.FunctionCode}; handler(event)`, createContext({ event }));
    expect(sent.headers).toEqual({ 'true-client-ip': { value: '198.51.100.7' }, accept: { value: '*/*' } });
    // AllViewerExceptHostHeader
    expect(distribution.DefaultCacheBehavior.OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
  });

  test('gives no error of one caller to another', () => {
    const kept = distribution.CustomErrorResponses.map(({ ErrorCode, ErrorCachingMinTTL }: Json) => [ErrorCode, ErrorCachingMinTTL]);
    expect(kept).toEqual([400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((code) => [code, 0]));
  });

  test('lets every method through, so that unknown ones get our own reply', () => {
    for (const { AllowedMethods, CachedMethods = ['GET', 'HEAD'] } of behaviors) {
      expect(AllowedMethods.toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
      expect(CachedMethods).toEqual(['GET', 'HEAD']);
    }
  });
});

const endpoints: Endpoint<any>[] = [];
for (const file of globSync('functions/*/routes.ts', { cwd: root })) endpoints.push(...(await import(join(root, file))).routes);

describe('the edge caches', () => {
  /** Undefined where nothing is kept. */
  const policyOf = (path: string): Json =>
    ofType('AWS::CloudFront::CachePolicy').find(({ ref }) => ref === behaviorFor(path).CachePolicyId)?.properties.CachePolicyConfig;
  const pathOf = (path: string) => path.replace(/\{\w+\+?\}/g, 'x');

  test('nothing that is meant for one caller, and nothing that is not read', () => {
    for (const path of ['/no-such-path', '/p/x/checkout', '/v1/public/products/x/checkout'])
      expect([path, policyOf(path)]).toEqual([path, undefined]);
    const cached = endpoints.filter(({ path }) => policyOf(pathOf(path)));
    expect(cached.filter((endpoint) => isPrivate(endpoint) || endpoint.method !== 'GET').map(({ path }) => path)).toEqual([]);
  });

  test('what may be kept by any cache, and files, for as long as the reply says', () => {
    const kept = endpoints.filter(({ cacheSeconds }) => cacheSeconds !== undefined).map(({ path }) => path);
    expect(kept).toEqual(expect.arrayContaining(['/openapi.json', '/.well-known/jwks.json', '/docs', '/v1/public/products/{slug}']));
    for (const path of [...kept, '/p/x', '/assets/x', '/console/assets/x', '/docs/x', '/images/x/x/x'].map(pathOf)) {
      expect({ path, ...policyOf(path) }).toMatchObject({
        path,
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 31_536_000,
        ParametersInCacheKeyAndForwardedToOrigin: { CookiesConfig: { CookieBehavior: 'none' }, EnableAcceptEncodingGzip: true },
      });
      expect([path, behaviorFor(path).Compress]).toEqual([path, true]);
    }
  });

  test('pages in each language, by query and browser, and files once for everybody', () => {
    // A page that answers by a parameter would otherwise be given to those who asked for another.
    const byQuery = endpoints.filter(({ path, query }) => query && policyOf(pathOf(path))).map(({ path }) => path);
    const releases = ['/p/{slug}/releases', '/v1/public/products/{slug}/releases'];
    expect(byQuery.sort()).toEqual(['/docs', '/docs/sellers', '/docs/updates', '/p/{slug}', ...releases]);
    const all = {
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['Accept-Language'] },
      QueryStringsConfig: { QueryStringBehavior: 'all' },
    };
    const none = { HeadersConfig: { HeaderBehavior: 'none' }, QueryStringsConfig: { QueryStringBehavior: 'none' } };
    const files = ['/assets/x', '/images/x/y/z', '/openapi.json', '/.well-known/jwks.json', '/v1/public/products/x'];
    for (const path of byQuery) expect(policyOf(pathOf(path)).ParametersInCacheKeyAndForwardedToOrigin).toMatchObject(all);
    for (const path of files) expect(policyOf(path).ParametersInCacheKeyAndForwardedToOrigin).toMatchObject(none);
  });

  test('by nothing that the origin sees beside it, but who asked', () => {
    const { ref, properties } = only('AWS::CloudFront::OriginRequestPolicy');
    expect(properties.OriginRequestPolicyConfig).toMatchObject({
      HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['True-Client-IP'] },
      CookiesConfig: { CookieBehavior: 'none' },
      QueryStringsConfig: { QueryStringBehavior: 'none' },
    });
    const cached = behaviors.filter(({ CachePolicyId }) =>
      ofType('AWS::CloudFront::CachePolicy').some((each) => each.ref === CachePolicyId),
    );
    expect(cached.length).toBeGreaterThan(5);
    expect(cached.filter(({ OriginRequestPolicyId }) => OriginRequestPolicyId !== ref)).toEqual([]);
  });
});

describe('the edge has a firewall', () => {
  const acl = only('AWS::WAFv2::WebACL');
  const rules: Record<string, Json> = Object.fromEntries(acl.properties.Rules.map((rule: Json) => [rule.Name, rule]));

  /** Whether a scope-down statement takes a path. */
  const takes = (statement: Json, path: string): boolean => {
    if (statement === undefined) return true;
    if (statement.NotStatement) return !takes(statement.NotStatement.Statement, path);
    if (statement.OrStatement) return statement.OrStatement.Statements.some((each: Json) => takes(each, path));
    const { FieldToMatch, PositionalConstraint, SearchString, TextTransformations } = statement.ByteMatchStatement;
    expect(FieldToMatch).toEqual({ UriPath: {} });
    const types = TextTransformations.map(({ Type }: Json) => Type);
    const read = types.includes('URL_DECODE') ? decodeURIComponent(path) : path;
    const normal = types.includes('NORMALIZE_PATH') ? new URL(read, 'https://x').pathname : read;
    return PositionalConstraint === 'EXACTLY' ? normal === SearchString : normal.startsWith(SearchString);
  };
  const takenBy = (name: string, path: string) => takes(Object.values<Json>(rules[name].Statement)[0].ScopeDownStatement, path);

  test('that the CDN asks, which lets through what no rule blocks and keeps no request', () => {
    expect(distribution.WebACLId).toBe(acl.arn);
    expect(acl.properties).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
    for (const { VisibilityConfig } of [acl.properties, ...Object.values(rules)]) {
      expect(VisibilityConfig).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false });
    }
    expect(ofType('AWS::WAFv2::LoggingConfiguration')).toEqual([]);
  });

  test('that limits the license checks and requests of each address a minute, before all else, and says when to come back', () => {
    const sorted = Object.values(rules).toSorted((a, b) => a.Priority - b.Priority);
    expect(sorted.map(({ Priority, Name }) => `${Priority} ${Name}`)).toEqual(['0 LicenseRate', '1 Rate', '2 Reputation', '3 Common']);
    for (const [index, limit] of [100, 300].entries()) {
      const { Statement, Action } = sorted[index];
      expect(Statement.RateBasedStatement).toMatchObject({ AggregateKeyType: 'IP', Limit: limit, EvaluationWindowSec: 60 });
      const { ResponseCode, ResponseHeaders } = Action.Block.CustomResponse;
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
    expect(routes.filter(({ path, verify }: Endpoint) => takenBy('Rate', path) || !verify)).toEqual([]);
  });

  test('that asks the rules of AWS, of which those only count that would refuse what callers send rightly', () => {
    expect([rules['Reputation'], rules['Common']]).toMatchObject(
      ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesCommonRuleSet'].map((Name) => ({
        OverrideAction: { None: {} },
        Statement: { ManagedRuleGroupStatement: { VendorName: 'AWS', Name } },
      })),
    );
    const [blocking, counting] = ['Reputation', 'Common'].map(
      (name) => rules[name].Statement.ManagedRuleGroupStatement.RuleActionOverrides,
    );
    expect(blocking).toBeUndefined();
    expect(counting).toEqual(Object.keys(countedRules).map((Name) => ({ Name, ActionToUse: { Count: {} } })));
    // What a body may hold is for handlers to judge; whatever else callers send is blocked, but that apps name no program.
    const others = Object.keys(countedRules).filter((name) => !name.endsWith('_BODY'));
    expect(others).toEqual([
      'NoUserAgent_HEADER',
      'RestrictedExtensions_URIPATH',
      'SizeRestrictions_URIPATH',
      'SizeRestrictions_QUERYSTRING',
    ]);
  });

  test('that blocks no path for its length, however a file is called', () => {
    const fileName = sanitizeFileName(`${'版'.repeat(200)}.dmg`);
    const links = createLinks({ publicBaseUrl: 'https://x', productId: 'prd_x', slug: '版'.repeat(80), proof: 'ticket' });
    const longest = links.fileUrl('1.0.0', { platform: 'macos', arch: 'arm64', fileName }).replace('https://x', '');
    // More than the rule takes, and less than the CDN.
    expect(longest.length).toBeGreaterThan(1024);
    expect(longest.length).toBeLessThan(8192);
    expect(Object.keys(countedRules)).toContain('SizeRestrictions_URIPATH');
  });
});

test('the edge logs addresses for 30 days, and no path, query, cookie or referrer, where the delivery may write', () => {
  const { RecordFields: fields } = only('AWS::Logs::Delivery').properties;
  expect(fields).toEqual(expect.arrayContaining(['c-ip', 'cs-method', 'sc-status']));
  expect(fields.filter((field: string) => /uri|query|cookie|referer|x-forwarded-for|log-data/i.test(field))).toEqual([]);
  const spec: Json = specificationOf('AWS::CloudFront::Distribution');
  const { optionalFields } = spec.vendedLogs.find(({ logType }: Json) => logType === 'ACCESS_LOGS');
  expect(optionalFields).toEqual(expect.arrayContaining(fields));
  const group = only('AWS::Logs::LogGroup');
  expect(group.properties.RetentionInDays).toBe(30);
  expect(only('AWS::Logs::DeliverySource').properties.LogType).toBe('ACCESS_LOGS');
  expect(only('AWS::Logs::DeliveryDestination').properties.DestinationResourceArn).toBe(group.arn);
  const policy = only('AWS::Logs::ResourcePolicy').properties.PolicyDocument;
  for (const part of ['delivery.logs.amazonaws.com', 'logs:PutLogEvents', 'logs:CreateLogStream', 'aws:SourceAccount', group.name]) {
    expect(policy).toContain(part);
  }
});
