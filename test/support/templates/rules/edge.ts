import { countedRules } from '../../../../infra/constructs/edge/firewall.ts';
import { isAllowed } from '../evaluate.ts';
import { account } from '../identifiers.ts';
import type { Json } from '../json.ts';
import type { Rules } from '../rule.ts';
import { type Service, statementsOf } from '../service.ts';

const distributions = ({ ofType }: Service) => ofType('AWS::CloudFront::Distribution');

/** The functions that the gateway invokes. */
function answering({ definitions, functions }: Service) {
  return functions.filter(({ folder }) => definitions.some(({ name, routes }) => name === folder && routes.length > 0));
}

/** Whether a request to this path is limited by a statement of a firewall: what its rules are made of, and nothing else. */
function isAbout(statement: Json, path: string): boolean {
  if (statement.NotStatement) return !isAbout(statement.NotStatement.Statement, path);
  if (statement.OrStatement) return statement.OrStatement.Statements.some((one: Json) => isAbout(one, path));
  const { FieldToMatch, PositionalConstraint, SearchString } = statement.ByteMatchStatement;
  if (!FieldToMatch.UriPath) throw new Error('These rules know statements about paths alone.');
  return PositionalConstraint === 'STARTS_WITH' ? path.startsWith(SearchString) : path === SearchString;
}

/** What may not be in a record: it may hold secrets. */
const secretive = /query|cookie|referer|cs\(host\)|x-forwarded/i;

/** Where the CDN is: nobody comes past it, and it lets nobody through who is to be kept out. */
export const edgeRules: Rules = {
  'the CDN tells the API a secret that is kept in its own Region, over TLS': (service) =>
    distributions(service).flatMap(({ id, region, properties: { DistributionConfig } }) =>
      DistributionConfig.Origins.flatMap(({ CustomOriginConfig, OriginCustomHeaders = [], S3OriginConfig }: Json) => {
        const header = OriginCustomHeaders.find(({ HeaderName }: Json) => HeaderName.toLowerCase() === 'x-origin-secret');
        const [, name] = /^\{\{resolve:secretsmanager:([\w/-]+):SecretString:/.exec(header?.HeaderValue ?? '') ?? [];
        const secret = service.ofType('AWS::SecretsManager::Secret').find((each) => each.name === name);
        const regions = [secret?.region, ...(secret?.properties.ReplicaRegions ?? []).map(({ Region }: Json) => Region)];
        const isDemanded = answering(service).every(({ environment }) => environment['ORIGIN_SECRET'] === secret?.arn);
        const isSafe = !S3OriginConfig && CustomOriginConfig?.OriginProtocolPolicy === 'https-only';
        return isSafe && isDemanded && regions.includes(region) ? [] : [`${id}: ${header?.HeaderValue} of ${regions}`];
      }),
    ),

  'where there is a CDN, every function that answers callers refuses who comes past it, and without one none does': (service) => {
    const expected = distributions(service).length > 0 ? 'true' : '';
    return answering(service)
      .filter(({ environment }) => (environment['ORIGIN_REQUIRED'] ?? '') !== expected)
      .map(({ folder }) => folder);
  },

  'callers reach the CDN over TLS alone, under the domain of the pages, and are named to the API': (service) =>
    distributions(service).flatMap(({ id, properties: { DistributionConfig } }) => {
      const { Aliases = [], CacheBehaviors = [], DefaultCacheBehavior, Enabled, ViewerCertificate } = DistributionConfig;
      const hosts = new Set(service.functions.flatMap(({ environment: { PUBLIC_BASE_URL: url } }) => (url ? new URL(url).hostname : [])));
      const isSafe = ({ ViewerProtocolPolicy, FunctionAssociations = [] }: Json) =>
        ['redirect-to-https', 'https-only'].includes(ViewerProtocolPolicy) &&
        FunctionAssociations.some(({ EventType }: Json) => EventType === 'viewer-request');
      const isAll = [DefaultCacheBehavior, ...CacheBehaviors].every(isSafe);
      const isOurs = Aliases.length === 1 && hosts.size === 1 && hosts.has(Aliases[0]);
      return Enabled && isAll && isOurs && /^TLSv1\.[23]/.test(ViewerCertificate?.MinimumProtocolVersion) ? [] : [id];
    }),

  'the firewall stands before the CDN, limits license checks and everything else but webhooks, and blocks': (service) =>
    distributions(service).flatMap(({ id, properties: { DistributionConfig } }) => {
      const firewall = service.at(DistributionConfig.WebACLId, 'AWS::WAFv2::WebACL');
      if (firewall?.properties.Scope !== 'CLOUDFRONT') return [`${id} has no firewall`];
      const rules: Json[] = firewall.properties.Rules;
      const limits = rules.filter(({ Statement }) => Statement.RateBasedStatement);
      const isLimited = (path: string) =>
        limits.some(({ Action, Statement: { RateBasedStatement: rate } }) => Action?.Block && isAbout(rate.ScopeDownStatement, path));
      const strictest = (path: string) =>
        Math.min(
          ...limits
            .map(({ Statement }) => Statement.RateBasedStatement)
            .flatMap((rate: Json) => (isAbout(rate.ScopeDownStatement, path) ? rate.Limit : [])),
        );
      const passing = rules.filter(
        ({ Action, OverrideAction, Statement: { ManagedRuleGroupStatement: group } }) =>
          !(Action?.Block || (group && OverrideAction?.None)) ||
          group?.RuleActionOverrides?.some(({ ActionToUse, Name }: Json) => ActionToUse.Allow || !(Name in countedRules)),
      );
      return [
        ...['/v1/licenses/validate', '/v1/licenses/activate', '/p/x', '/manage'].filter((path) => !isLimited(path)),
        ...['/v1/payment/webhook', '/v1/payment/connect/webhook'].filter(isLimited),
        ...(strictest('/v1/licenses/validate') < strictest('/p/x') ? [] : ['license checks have no limit of their own']),
        ...passing.map(({ Name }) => `${Name} lets through`),
      ].map((fault) => `${firewall.id}: ${fault}`);
    }),

  'the record of the CDN may be written, is kept for a time, and holds nothing secret': async (service) => {
    const faults = distributions(service).map(async ({ id, ref }) => {
      const source = service.ofType('AWS::Logs::DeliverySource').find(({ properties }) => properties.ResourceArn.endsWith(`/${ref}`));
      const delivery = service.ofType('AWS::Logs::Delivery').find(({ properties }) => properties.DeliverySourceName === source?.ref);
      const destination = service.at(delivery?.properties.DeliveryDestinationArn, 'AWS::Logs::DeliveryDestination');
      const log = service.at(destination?.properties.DestinationResourceArn, 'AWS::Logs::LogGroup');
      const fields: string[] = delivery?.properties.RecordFields ?? ['all, also the query'];
      const policy = service
        .ofType('AWS::Logs::ResourcePolicy')
        .flatMap(({ properties }) => statementsOf(JSON.parse(properties.PolicyDocument)));
      const mayWrite = await isAllowed({
        principal: 'delivery.logs.amazonaws.com',
        action: 'logs:PutLogEvents',
        resource: log?.arn.replace(/\*$/, 'log-stream:x') ?? '',
        context: { 'aws:SourceArn': `arn:aws:logs:${log?.region}:${account}:delivery-source:x` },
        policy,
      });
      return mayWrite && log?.properties.RetentionInDays <= 90 && !fields.some((field) => secretive.test(field))
        ? []
        : [`${id}: ${fields}`];
    });
    return (await Promise.all(faults)).flat();
  },
};
