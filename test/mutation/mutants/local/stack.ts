import type { Mutant } from '../../mutant.ts';

const config = ['test/unit/config.test.ts'];
const hosts = ['test/local/hosts.test.ts'];
const dataDirectory = ['test/local/data-directory.test.ts'];
const provider = ['test/integration/payments/payment-provider.test.ts'];

/** Settings, and the local stack towards other sites and users. */
export const local: readonly Mutant[] = [
  {
    fault: 'PUBLIC_BASE_URL may be plain http in the cloud',
    file: 'shared/config.ts',
    code: "    !isLocal && URL.parse(value('PUBLIC_BASE_URL'))?.protocol === 'http:' &&",
    mutant: '    false &&',
    tests: config,
  },
  {
    fault: 'plain http is refused at stage local too',
    file: 'shared/config.ts',
    code: "    !isLocal && URL.parse(value('PUBLIC_BASE_URL'))",
    mutant: "    URL.parse(value('PUBLIC_BASE_URL'))",
    tests: config,
  },
  {
    fault: 'the test scanner is trusted beside others',
    file: 'shared/config.ts',
    code: `/(^|,)\\s*eicar-only\\s*(,|$)/i`,
    mutant: `/^\\s*eicar-only\\s*$/i`,
    tests: config,
  },
  {
    fault: 'a live key is taken',
    file: 'shared/config.ts',
    code: "/_live_/.test(value('PAYMENT_SECRET_KEY')) &&",
    mutant: 'false &&',
    tests: config,
  },
  {
    fault: 'local identities are believed in the cloud',
    file: 'shared/config.ts',
    code: "!isLocal && value('AUTH_MODE') === 'local' &&",
    mutant: 'false &&',
    tests: config,
  },
  {
    fault: 'an issuer may be plain http anywhere at stage local',
    file: 'shared/config.ts',
    code: '!(isLocal && isLoopback(hostname))',
    mutant: '!isLocal',
    tests: config,
  },
  {
    fault: 'the key of the callers’ names may be guessed',
    file: 'shared/config.ts',
    code: 'CALLER_HASH_KEY: z.string().check(z.minLength(16))',
    mutant: 'CALLER_HASH_KEY: z.string()',
    tests: config,
  },
  {
    fault: 'another site reads the outbox',
    file: 'infra/local/gateway/api-gateway.ts',
    code: "page !== undefined || request.headers['x-user-id'] !== undefined",
    mutant: "request.headers['x-user-id'] !== undefined",
    tests: hosts,
  },
  {
    fault: 'another site acts as any user',
    file: 'infra/local/gateway/api-gateway.ts',
    code: "page !== undefined || request.headers['x-user-id'] !== undefined",
    mutant: 'page !== undefined',
    tests: hosts,
  },
  {
    fault: 'a name that begins like one’s own is one',
    file: 'infra/local/engines/own-host.ts',
    code: `(:\\d{1,5})?$/i`,
    mutant: '/i',
    tests: hosts,
  },
  {
    fault: 'a name that ends like one’s own is one',
    file: 'infra/local/engines/own-host.ts',
    code: '/^(127',
    mutant: '/(127',
    tests: hosts,
  },
  {
    fault: 'another site uses the fake provider',
    file: 'infra/local/payment-provider/payment-provider.ts',
    code: `    if (!isOwnHost(incoming.headers.host)) throw new ProviderError(403, 'This provider answers on this machine alone.');
`,
    mutant: '',
    tests: hosts,
  },
  {
    fault: 'another site reads files with the known key',
    file: 'infra/local/object-store/object-store.ts',
    code: `    if (!isOwnHost(message.headers.host)) throw accessDenied();
`,
    mutant: '',
    tests: hosts,
  },
  {
    fault: 'an address with other letters ends the fake provider’s reply',
    file: 'infra/local/http-reply.ts',
    code: `location.toWellFormed().replace(/[^\\x21-\\x7e]/gu, encodeURIComponent)`,
    mutant: 'location',
    tests: provider,
  },
  {
    fault: 'others read the table',
    file: 'infra/local/engines/dynamodb-engine.ts',
    code: 'umask 077; ',
    mutant: '',
    tests: dataDirectory,
  },
  {
    fault: 'others read a data directory made before',
    file: 'infra/local/data-directory.ts',
    code: `    closeToOthers(path);
  } catch`,
    mutant: '  } catch',
    tests: dataDirectory,
  },
  {
    fault: 'others read what is below a directory made before',
    file: 'infra/local/data-directory.ts',
    code: `    for (const name of readdirSync(path)) closeEntry(join(path, name));
`,
    mutant: '',
    tests: dataDirectory,
  },
  {
    fault: 'files that are not the stack’s are changed',
    file: 'infra/local/data-directory.ts',
    code: 'names.filter((name) => kept.test(name))',
    mutant: 'names',
    tests: dataDirectory,
  },
  {
    fault: 'a data directory made before loses its keys',
    file: 'infra/local/local-settings.ts',
    code: '{ ...newSecrets(), ...kept }',
    mutant: '{ ...kept, ...newSecrets() }',
    tests: dataDirectory,
  },
];
