import { ConfigError, readSettings, type SettingName, secretSettings, settingNames } from '../../shared/config.ts';
import { queueDefinitions } from '../constructs/queues.ts';
import { hasEdge } from '../settings/edge-settings.ts';
import type { OperatorSettings } from '../settings/operator-settings.ts';
import type { DataStack } from './data-stack.ts';

/**
 * The environment of a function: exactly the settings it names.
 *
 * What the infrastructure makes is referred to, secrets are named by their ARN, and
 * the rest is what the operator set. Without a value of the operator's (`local`),
 * these are empty, for the local stack to fill in. See "Settings" in infra/settings.md.
 */
export function environmentOf(
  names: readonly SettingName[],
  data: DataStack,
  operator: OperatorSettings | undefined,
): Record<string, string> {
  const fromTemplate = new Map(names.flatMap((name) => entry(name, valueMade(name, data))));
  const given = names.filter((name) => !fromTemplate.has(name));
  const values = given.flatMap((name) => entry(name, operator ? valueGiven(name, operator) : ''));
  return Object.fromEntries([...fromTemplate, ...values]);
}

/** What the infrastructure makes besides queues and secrets, by the setting that names it. */
const made: Partial<Record<SettingName, (data: DataStack) => string | undefined>> = {
  TABLE_NAME: ({ table }) => table.tableName,
  BUCKET_NAME: ({ bucket }) => bucket.bucketName,
  MALWARE_PLAN_ARN: ({ malwareProtection }) => malwareProtection?.planArn,
  SECRETS_TO_SET: (data) => secretsToSet(data).join(','),
  MAIL_CONFIGURATION_SET: ({ mailDelivery }) => mailDelivery.configurationSetName,
};

/** The settings that name what the templates make, so that nobody gives them. */
export const templateSettings: ReadonlySet<string> = new Set([...Object.keys(made), ...Object.keys(queueDefinitions)]);

/** What the infrastructure defines about a setting. */
const valueMade = (name: SettingName, data: DataStack): string | undefined =>
  data.secrets.get(name)?.secretArn ?? data.queues.get(name)?.queue.queueUrl ?? made[name]?.(data);

/** The ARNs of the secrets for which the random text that they are made with does not do. */
export function secretsToSet(data: DataStack): string[] {
  const isUnfit = (name: string) => secretNames.some((secret) => secret === name && !isWellFormed(secret, 'x'.repeat(32)));
  return [...data.secrets].filter(([name]) => isUnfit(name)).map(([, { secretArn }]) => secretArn);
}

const secretNames = settingNames.filter((name) => secretSettings.has(name));

function isWellFormed(name: SettingName, value: string): boolean {
  try {
    readSettings([name], { STAGE: 'staging', [name]: value });
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

/** What the operator set, or what follows from it: where there is an edge, callers come through it alone. */
const valueGiven = (name: SettingName, operator: OperatorSettings): string | undefined =>
  name === 'ORIGIN_REQUIRED' && hasEdge(operator) ? 'true' : operator[name];

const entry = (name: string, value: string | undefined): [string, string][] => (value === undefined ? [] : [[name, value]]);
