import { ConfigError, readSettings, settingNames } from '../../shared/config.ts';
import { deploymentForms } from '../settings/deployment.ts';
import { edgeForms } from '../settings/edge-settings.ts';
import { malformedSettings } from '../settings/operator-settings.ts';
import { faultsOf } from '../stacks/check-settings.ts';
import { templateSettings } from '../stacks/environment.ts';
import { StartError } from './engines/engine.ts';
import { openLocalSettings, stackForms, stackSettings } from './local-settings.ts';

/**
 * Checks all settings of the environment, those that only a deployment has too, before anything starts.
 *
 * @throws StartError naming every one that is missing, malformed or not allowed, and showing no value
 */
export function checkLocalSettings(env: NodeJS.ProcessEnv): void {
  const settings = openLocalSettings({ directory: undefined, publicBaseUrl: `http://127.0.0.1:${stackSettings.PORT}`, env });
  // The issuer that is this machine follows from PUBLIC_BASE_URL.
  const given = (name: string) => (name === 'OIDC_ISSUER' ? env[name] : settings.valueOf(name));
  const names = settingNames.filter((name) => !templateSettings.has(name));
  const forms = { ...stackForms, ...deploymentForms, ...edgeForms };
  const faults = [
    ...malformedSettings(env, forms),
    ...faultsOf(() => readSettings(names, Object.fromEntries(names.map((name) => [name, given(name)])))),
  ];
  if (faults.length > 0) throw new StartError(new ConfigError(faults).message);
}
