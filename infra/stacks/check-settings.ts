import { ConfigError, readSettings, secretSettings, settingNames } from '../../shared/config.ts';
import { readDeployment } from '../settings/deployment.ts';
import { readEdgeSettings } from '../settings/edge-settings.ts';
import { type OperatorSettings, settingsGiven } from '../settings/operator-settings.ts';
import { templateSettings } from './environment.ts';

/** What is made here is a reference, which has no form to check. */
const ofUserPool = { OIDC_ISSUER: 'https://issuer.invalid', OIDC_AUDIENCE: 'console', CONSOLE_CLIENT_ID: 'console' };

/**
 * Checks all that the operator of a deployment gave, before anything is made of it.
 *
 * @throws ConfigError naming every setting that is missing, malformed or not allowed at this stage
 */
export function checkOperatorSettings(operator: OperatorSettings, functionNames: readonly string[]): void {
  const names = settingNames.filter((name) => !secretSettings.has(name) && !templateSettings.has(name));
  const faults = [
    ...faultsOf(() => readEdgeSettings(operator)),
    ...faultsOf(() => readDeployment(operator, functionNames)),
    ...faultsOf(() => readSettings(names, { ...settingsGiven(operator), ...(operator['CONSOLE_USER_POOL'] && ofUserPool) })),
  ];
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
}

/** What a check of settings finds at fault. */
export function faultsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
