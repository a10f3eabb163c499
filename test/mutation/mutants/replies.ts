import type { Mutant } from '../mutant.ts';

const rules = ['test/endpoints/http/rules.test.ts'];
const everyEndpoint = ['test/endpoints/http/every-endpoint.test.ts'];
const logger = ['test/unit/logger.test.ts'];
const refusals = ['test/endpoints/http/refusal-log.test.ts'];
const pages = ['test/endpoints/pages.test.ts'];
const mailLinks = ['test/unit/mail/mail-link.test.ts'];
const templates = ['test/infra/service.test.ts'];

/** What replies carry, what pages link to, and what the log tells of refusals. */
export const replies: readonly Mutant[] = [
  {
    fault: 'refusals of purchases are logged without their caller',
    file: 'functions/purchases/compose.ts',
    code: ', ...callersBy(settings) }',
    mutant: ' }',
    tests: refusals,
  },
  {
    fault: 'refusals of licenses are logged without their caller',
    file: 'functions/licenses/compose.ts',
    code: '    ...callersBy(settings),',
    mutant: '',
    tests: refusals,
  },
  {
    fault: 'refusals of payment-webhooks are logged without their caller',
    file: 'functions/payment-webhooks/compose.ts',
    code: ', ...callersBy(settings) }',
    mutant: ' }',
    tests: refusals,
  },
  {
    fault: 'refusals of pages are logged without their caller',
    file: 'functions/pages/compose.ts',
    code: ', ...callersBy(settings) }',
    mutant: ' }',
    tests: refusals,
  },
  {
    fault: 'refusals of admin are logged without their caller',
    file: 'functions/admin/compose.ts',
    code: `    ...callersBy(settings),
`,
    mutant: '',
    tests: refusals,
  },
  {
    fault: 'refusals of orders are logged without their caller',
    file: 'functions/orders/compose.ts',
    code: `    ...callersBy(settings),
`,
    mutant: '',
    tests: refusals,
  },
  {
    fault: 'refusals of products are logged without their caller',
    file: 'functions/products/compose.ts',
    code: `    ...callersBy(settings),
`,
    mutant: '',
    tests: refusals,
  },
  {
    fault: 'refusals of storefront are logged without their caller',
    file: 'functions/storefront/compose.ts',
    code: `    ...callersBy(settings),
`,
    mutant: '',
    tests: refusals,
  },
  {
    fault: 'refusals leave no trace',
    file: 'shared/http/error-reply.ts',
    code: 'if (refusalCodes.has(code)) {',
    mutant: 'if (false) {',
    tests: refusals,
  },
  {
    fault: 'whatever is refused is a refusal of its caller',
    file: 'shared/http/error-reply.ts',
    code: 'if (refusalCodes.has(code)) {',
    mutant: 'if (statusCode >= 400 && statusCode < 500) {',
    tests: refusals,
  },
  {
    fault: 'wrong signatures leave no trace',
    file: 'shared/errors.ts',
    code: `  'signature_invalid',
  'completion`,
    mutant: "  'completion",
    tests: refusals,
  },
  {
    fault: 'limits that are passed leave no trace',
    file: 'shared/errors.ts',
    code: `  'rate_limited',
]);`,
    mutant: ']);',
    tests: refusals,
  },
  {
    fault: 'the user behind a refusal is not named',
    file: 'shared/http/create-handler.ts',
    code: `    if (identity) call.identity = identity;
    if (audience`,
    mutant: '    if (audience',
    tests: refusals,
  },
  {
    fault: 'the e-mail address is in the security log',
    file: 'shared/http/create-handler.ts',
    code: 'subject: call.identity.userId || undefined',
    mutant: "subject: call.identity.email?.replace('@', ' at ')",
    tests: refusals,
  },
  {
    fault: 'a flood of refusals is not counted',
    file: 'infra/alarms/api-alarms.ts',
    code: 'alarmedMessages.refusals);',
    mutant: '[]);',
    tests: templates,
  },
  {
    fault: 'the alarm of refusals watches other lines',
    file: 'infra/alarms/api-alarms.ts',
    code: 'metric: refusals,',
    mutant: 'metric: api.api.metricServerError(count),',
    tests: templates,
  },
  {
    fault: 'JSON replies carry neither nosniff nor HSTS',
    file: 'shared/http/create-handler.ts',
    code: `      ...replyHeaders,
      ...(route`,
    mutant: '      ...(route',
    tests: everyEndpoint,
  },
  {
    fault: 'caches keep what sellers and admins read',
    file: 'shared/http/endpoint.ts',
    code: "sensitive === true || audience !== 'anyone'",
    mutant: 'sensitive === true',
    tests: everyEndpoint,
  },
  {
    fault: 'a stranger is an admin',
    file: 'shared/http/create-handler.ts',
    code: "(audience === 'admin' && !isAdmin(identity, adminAllowlist))",
    mutant: 'false',
    tests: everyEndpoint,
  },
  {
    fault: 'who is nobody is a seller',
    file: 'shared/http/create-handler.ts',
    code: `if (audience === 'seller' && !identity) throw new AppError('unauthenticated');
`,
    mutant: '',
    tests: everyEndpoint,
  },
  {
    fault: 'the size is checked before the identity',
    file: 'shared/http/create-handler.ts',
    code: `  if (audience !== 'anyone') {
    if (!authenticate) throw`,
    mutant: `  checks.push(check(({ raw }) => limitSize(raw, maxJsonBytes)));
  if (audience !== 'anyone') {
    if (!authenticate) throw`,
    tests: rules,
  },
  {
    fault: 'parts of a multipart body may be as large as one likes',
    file: 'shared/http/create-handler.ts',
    code: "bodyKind === 'multipart' ? maxMultipartBytes : maxJsonBytes",
    mutant: 'Number.POSITIVE_INFINITY',
    tests: everyEndpoint,
  },
  {
    fault: 'any site may call the console’s endpoints',
    file: 'shared/http/cors.ts',
    code: 'forConsole && origin !== undefined && consoleOrigins.includes(origin) ? origin',
    mutant: 'forConsole && origin !== undefined ? origin',
    tests: rules,
  },
  {
    fault: 'a site whose name begins like the console’s may call its endpoints',
    file: 'shared/http/cors.ts',
    code: 'consoleOrigins.includes(origin)',
    mutant: 'consoleOrigins.some((own) => origin.startsWith(own))',
    tests: rules,
  },
  {
    fault: 'caches mix the replies to different origins',
    file: 'shared/http/cors.ts',
    code: "{ Vary: 'Origin' } : {}",
    mutant: '{} : {}',
    tests: rules,
  },
  {
    fault: 'webhooks answer to any origin',
    file: 'shared/http/cors.ts',
    code: 'public|purchases|licenses)',
    mutant: 'public|purchases|licenses|payment)',
    tests: rules,
  },
  {
    fault: 'license keys are in the log',
    file: 'shared/logger.ts',
    code: `  /[A-Z][A-Z0-9]{0,11}(?:[\\s\\p{Pd}\\u2212]+[0-9A-Z]{5}){5}/giu, // license key
`,
    mutant: '',
    tests: logger,
  },
  {
    fault: 'tokens are in the log',
    file: 'shared/logger.ts',
    code: `  /eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*/g, // JWS
`,
    mutant: '',
    tests: logger,
  },
  {
    fault: 'provider secrets are in the log',
    file: 'shared/logger.ts',
    code: `  /\\b(?:sk|rk|pk|whsec)_\\w+/g, // provider secrets
`,
    mutant: '',
    tests: logger,
  },
  {
    fault: 'bearer tokens are in the log',
    file: 'shared/logger.ts',
    code: `  /\\bBearer\\s+\\S+/gi,
`,
    mutant: '',
    tests: logger,
  },
  {
    fault: 'a long text is cut within a secret',
    file: 'shared/logger.ts',
    code: `text.slice(0, longestText).search(/\\s\\S*$/)`,
    mutant: 'longestText',
    tests: logger,
  },
  {
    fault: 'fields that are named like secrets are in the log',
    file: 'shared/logger.ts',
    code: 'secretFields.test(name) ? mask : redact(field, depth + 1)',
    mutant: 'redact(field, depth + 1)',
    tests: logger,
  },
  {
    fault: 'the page of a path that is none links to another site',
    file: 'functions/pages/views/error-view.ts',
    code: 'const path = ownPath(requested);',
    mutant: 'const path = requested;',
    tests: pages,
  },
  {
    fault: 'a path that is cleaned still begins with two slashes',
    file: 'functions/pages/reader.ts',
    code: `return pathname.replace(/^\\/*/, '/');`,
    mutant: `return pathname.replace(/^\\/\\//, '/');`,
    tests: pages,
  },
  {
    fault: 'a backslash in a path is kept',
    file: 'functions/pages/reader.ts',
    code: "?.pathname ?? '';",
    mutant: '?.pathname && path;',
    tests: pages,
  },
  {
    fault: 'an address adds recipients to a mail',
    file: 'shared/email-address.ts',
    code: "address.split('@').map(encodeURIComponent).join('@')",
    mutant: 'encodeURI(address)',
    tests: mailLinks,
  },
];
