import type { Mutant } from '../mutant.ts';

const tests = ['test/infra/edge/edge.test.ts'];
const stack = 'infra/stacks/edge-stack.ts';
const firewall = 'infra/constructs/edge/firewall.ts';
const planted = (file: string, mistakes: readonly [fault: string, code: string, mutant: string][]): Mutant[] =>
  mistakes.map(([fault, code, mutant]) => ({ fault, file, code, mutant, tests }));

/** What callers meet before the API: what is sent on, kept, blocked and logged. */
export const edge: readonly Mutant[] = [
  ...planted(stack, [
    ['the CDN sends no secret', "customHeaders: { 'X-Origin-Secret': secret.unsafeUnwrap() },", ''],
    ['the firewall is asked by nobody', '      webAclId,\n', ''],
    ['viewers reach the gateway under the wrong name', 'ALL_VIEWER_EXCEPT_HOST_HEADER', 'ALL_VIEWER'],
    ['errors are given to others', '      errorResponses: uncachedErrors,\n', ''],
    ['the secret stays in one Region', '    replicateSecret(data, secretName);\n', ''],
    ['a checkout may be kept', '        ...behaviors(uncachedPaths, uncached),\n', ''],
    ['nobody hears of the edge', '    addEdgeAlarms(this, distribution, firewall);\n', ''],
  ]),
  ...planted('infra/constructs/edge/name-viewer.ts', [
    ['a viewer chooses its address', "  delete request.headers['cloudfront-viewer-address'];\n", ''],
    ['the origin does not hear who asks', "request.headers['true-client-ip'] = { value: event.viewer.ip };", ''],
  ]),
  ...planted('infra/constructs/edge/caching.ts', [
    ['a page in one language is shown to readers of another', "headerBehavior: CacheHeaderBehavior.allowList('Accept-Language'),", ''],
    ['a page is kept by its path alone', 'CacheQueryStringBehavior.all()', 'CacheQueryStringBehavior.none()'],
    ['replies are kept that do not say so', 'defaultTtl: Duration.seconds(0)', 'defaultTtl: Duration.days(1)'],
    ['lists of sellers are cached', "'/v1/public/products/*'", "'/v1/*'"],
  ]),
  ...planted(firewall, [
    [
      'license checks have the rate of pages',
      "limit('LicenseRate', 0, licenseRate, isLicensePath)",
      "limit('LicenseRate', 0, rate, isLicensePath)",
    ],
    ['a path written differently has no limit', "{ priority: 0, type: 'URL_DECODE' },", "{ priority: 0, type: 'NONE' },"],
    ['the provider is limited', "limit('Rate', 1, rate, not(either(...areWebhooks)))", "limit('Rate', 1, rate, isLicensePath)"],
    ['imports of codes are blocked', 'SizeRestrictions_BODY:', 'SizeRestrictions_URIPATH:'],
    ['the common rules block nothing', 'overrideAction: { none: {} }', 'overrideAction: { count: {} }'],
    ['credentials are kept in samples', 'sampledRequestsEnabled: false', 'sampledRequestsEnabled: true'],
  ]),
  ...planted('infra/constructs/edge/access-log.ts', [
    ['queries are logged', "  'cs-uri-stem',\n", "  'cs-uri-stem',\n  'cs-uri-query',\n"],
    ['addresses are not logged', "  'c-ip',\n", ''],
    [
      'the log may not be written',
      "principals: [new ServicePrincipal('delivery.logs.amazonaws.com')]",
      "principals: [new ServicePrincipal('logs.amazonaws.com')]",
    ],
  ]),
  ...planted('infra/alarms/edge-alarms.ts', [['the alarm watches a metric that is not there', ", Region: 'Global' }", ' }']]),
  ...planted('infra/settings.ts', [
    ['functions take whatever does not come through the edge', "&& hasEdge(operator) ? 'true'", "&& !operator ? 'true'"],
  ]),
  ...planted('infra/stacks/service.ts', [
    ['callers are refused before they can come through the edge', '  if (edge) api.addStackDependency(edge);\n', ''],
  ]),
];
