import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

export interface FirewallProps {
  /** Of the firewall and of its metrics. */
  name: string;
  /** Requests a minute and address to the license endpoints. */
  licenseRate: number;
  /** Requests a minute and address to everything but the webhooks. */
  rate: number;
}

type Statement = CfnWebACL.StatementProperty;

/** A signature lets the provider's events in, who sends those of all sales from few addresses. */
const webhookPaths = ['/v1/payment/webhook', '/v1/payment/connect/webhook'];

/** Rules of the common set that would refuse what callers send rightly, each with what that is. They count. */
export const countedRules: Readonly<Record<string, string>> = {
  NoUserAgent_HEADER: 'Apps check their license with HTTP clients that send none.',
  SizeRestrictions_BODY:
    'Imports of codes, events of the provider and descriptions of products are larger than 8 KB; handlers limit bodies.',
  CrossSiteScripting_BODY: 'Descriptions of products and the policies of sellers may speak of markup; pages escape what they show.',
  GenericLFI_BODY: 'Codes, descriptions and device labels may hold paths; no handler opens a file that a caller names.',
  RestrictedExtensions_URIPATH:
    'Files of releases have the names that sellers gave them, and feeds those that updaters ask for; no handler opens one.',
  SizeRestrictions_URIPATH:
    'Names of files in Japanese are nine bytes a character in a path, of which the rule takes 1,024; CDN and gateway bound what reaches us.',
  SizeRestrictions_QUERYSTRING:
    'The code with which an identity provider leads back to the console may be longer than 2,048 bytes; handlers limit each parameter.',
  GenericRFI_BODY: 'Sellers give the addresses of their sites and webhooks; what is called is judged where it is called.',
  EC2MetaDataSSRF_BODY: 'The same addresses, and texts about them.',
};

/** What stands before the CDN: limits for each address, and sets of rules that AWS maintains. It keeps no requests. */
export function addFirewall(scope: Construct, id: string, { name, licenseRate, rate }: FirewallProps): CfnWebACL {
  return new CfnWebACL(scope, id, {
    name,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: countedAs(name),
    rules: [
      limit('LicenseRate', 0, licenseRate, isLicensePath),
      limit('Rate', 1, rate, not(either(...areWebhooks))),
      // Whoever bought an app shares an address with others; what the rule above lets through is a license check.
      managed('Reputation', 2, 'AWSManagedRulesAmazonIpReputationList', { scopeDownStatement: not(either(isLicensePath, ...areWebhooks)) }),
      managed('Common', 3, 'AWSManagedRulesCommonRuleSet', {
        ruleActionOverrides: Object.keys(countedRules).map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      }),
    ],
  });
}

const matchesPath = (positionalConstraint: string, searchString: string, transformations: readonly string[]): Statement => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint,
    searchString,
    textTransformations: transformations.map((type, priority) => ({ priority, type })),
  },
});
/** Also where the path is written differently: the gateway reads it decoded. */
const isLicensePath = matchesPath('STARTS_WITH', '/v1/licenses/', ['URL_DECODE', 'NORMALIZE_PATH']);
/** Exactly, since these have no limit. */
const areWebhooks = webhookPaths.map((path) => matchesPath('EXACTLY', path, ['NONE']));

const either = (...statements: Statement[]): Statement => ({ orStatement: { statements } });
const not = (statement: Statement): Statement => ({ notStatement: { statement } });

/** Samples would show headers, with credentials in them. */
const countedAs = (metricName: string) => ({ cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: false });

function limit(name: string, priority: number, perMinute: number, scopeDownStatement: Statement): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: { customResponse: { responseCode: 429, responseHeaders: limitedHeaders } } },
    statement: {
      rateBasedStatement: { aggregateKeyType: 'IP', limit: perMinute, evaluationWindowSec: 60, scopeDownStatement },
    },
    visibilityConfig: countedAs(name),
  };
}

/** As our own limits answer, so that clients wait; a browser may read it from any origin, as the license endpoints. */
const limitedHeaders = [
  { name: 'Retry-After', value: '60' },
  { name: 'Cache-Control', value: 'no-store' },
  { name: 'Access-Control-Allow-Origin', value: '*' },
  { name: 'Access-Control-Expose-Headers', value: 'Retry-After' },
];

function managed(
  name: string,
  priority: number,
  group: string,
  options: Pick<CfnWebACL.ManagedRuleGroupStatementProperty, 'scopeDownStatement' | 'ruleActionOverrides'>,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: group, ...options } },
    visibilityConfig: countedAs(name),
  };
}
