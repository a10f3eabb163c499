import { ConfigError } from '../../shared/config.ts';
import { malformedSettings, type OperatorSettings } from './operator-settings.ts';

/** What of the sender's address SES is made to verify; `existing` is verified by somebody else. */
export type MailIdentity = 'domain' | 'address' | 'existing';

/** Whether users of the console sign in with a second factor: `required` alone makes the pages where they sign in lead through its set-up. */
export type SecondFactor = 'off' | 'optional' | 'required';

/** How the app is deployed: what is given to the synthesis alone, and no function gets. */
export interface Deployment {
  /** Where alone it can be deployed; anywhere, without them. */
  env: { account?: string; region?: string };
  /** By function: how many runs at once are kept for it. It gets no more, and others get none of them. */
  reserved: ReadonlyMap<string, number>;
  /** Whether new versions of the functions that cannot fail for a minute are tried on a tenth of the requests first. */
  canaries: boolean;
  /** That of MAIL_FROM. */
  mailIdentity: MailIdentity;
  /** The user pool of the console's users, where one is made here. */
  userPool: { secondFactor: SecondFactor } | undefined;
  /** The stream of a restored table that takes the place of the template's own. See "Restore" in infra/commands/ops/restore.md */
  restoredStream: string | undefined;
}

/** That of the local stack. */
export const localDeployment: Deployment = {
  env: {},
  reserved: new Map(),
  canaries: false,
  mailIdentity: 'existing',
  userPool: undefined,
  restoredStream: undefined,
};

/** The form of each setting of the synthesis. */
const patterns = {
  DEPLOY_ACCOUNT: /^\d{12}$/,
  DEPLOY_REGION: /^[a-z]{2}(-[a-z]+)+-\d$/,
  RESERVED_CONCURRENCY: /^[a-z-]+=[1-9]\d{0,4}(,[a-z-]+=[1-9]\d{0,4})*$/,
  ROLLOUT: /^(canary|at-once)$/,
  MAIL_IDENTITY: /^(domain|address|existing)$/,
  CONSOLE_USER_POOL: /^create$/,
  CONSOLE_MFA: /^(off|optional|required)$/,
  RESTORED_TABLE_STREAM_ARN: /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w:.-]+$/,
};
export const deploymentForms = Object.fromEntries(
  Object.entries(patterns).map(([name, form]) => [name, (text: string) => form.test(text)]),
);
export const deploymentSettings = Object.keys(patterns);

/**
 * The deployment that the operator asked for. Without an account or Region of their own it is bound to those of the
 * credentials that synthesize.
 *
 * @throws ConfigError naming every setting at fault.
 */
export function readDeployment(operator: OperatorSettings, functionNames: readonly string[]): Deployment {
  const malformed = malformedSettings(operator, deploymentForms);
  const reserved = new Map(pairsIn(operator['RESERVED_CONCURRENCY'] ?? ''));
  const namesUnknown = [...reserved.keys()].some((name) => !functionNames.includes(name));
  const faults = [...malformed, ...(namesUnknown ? ['RESERVED_CONCURRENCY names what is no function'] : []), ...poolFaults(operator)];
  if (faults.length > 0) throw new ConfigError(faults);
  const account = operator['DEPLOY_ACCOUNT'] || operator['CDK_DEFAULT_ACCOUNT'];
  const region = operator['DEPLOY_REGION'] || operator['CDK_DEFAULT_REGION'];
  return {
    env: { ...(account && { account }), ...(region && { region }) },
    reserved,
    canaries: operator['ROLLOUT'] !== 'at-once',
    mailIdentity: mailIdentityOf(operator),
    userPool: operator['CONSOLE_USER_POOL'] ? { secondFactor: secondFactorOf(operator) } : undefined,
    restoredStream: operator['RESTORED_TABLE_STREAM_ARN'] || undefined,
  };
}

/** Two providers would be one too many: tokens are those of a single issuer. */
function poolFaults(operator: OperatorSettings): string[] {
  if (!operator['CONSOLE_USER_POOL']) return [];
  const given = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'CONSOLE_CLIENT_ID'].filter((name) => operator[name]);
  return [
    ...given.map((name) => `${name} is given, and CONSOLE_USER_POOL makes its own`),
    ...(operator['AUTH_MODE'] === 'oidc' ? [] : ['CONSOLE_USER_POOL needs AUTH_MODE oidc']),
  ];
}

const mailIdentityOf = ({ MAIL_IDENTITY: given }: OperatorSettings): MailIdentity =>
  given === 'address' || given === 'existing' ? given : 'domain';

const secondFactorOf = ({ CONSOLE_MFA: given }: OperatorSettings): SecondFactor =>
  given === 'off' || given === 'optional' ? given : 'required';

const pairsIn = (text: string) => [...text.matchAll(/([^=,]+)=(\d+)/g)].map(([, name = '', count]) => [name, Number(count)] as const);
