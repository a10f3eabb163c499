import { ConfigError, readSettings, settingNames } from '../../shared/config.ts';
import { malformedDeploymentSettings } from '../settings/deployment.ts';
import { malformedEdgeSettings } from '../settings/edge-settings.ts';
import { refuseTogether } from '../stacks/check-settings.ts';
import { templateSettings } from '../stacks/environment.ts';
import { StartError } from './engines/engine.ts';
import { malformedStackSettings, openLocalSettings, stackSettings } from './local-settings.ts';

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
  const malformed = [...malformedStackSettings(env), ...malformedDeploymentSettings(env), ...malformedEdgeSettings(env)];
  try {
    refuseTogether([
      () => {
        if (malformed.length > 0) throw new ConfigError(malformed);
      },
      () => readSettings(names, Object.fromEntries(names.map((name) => [name, given(name)]))),
    ]);
  } catch (error) {
    throw error instanceof ConfigError ? new StartError(error.message) : error;
  }
}
