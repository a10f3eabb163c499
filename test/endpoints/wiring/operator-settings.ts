import type { SettingName } from '../../../shared/config.ts';
import type { operatorSettings } from '../../../shared/operator.ts';
import { differ, type Effect } from './setting-effects.ts';

const shows =
  (name: SettingName, value: string, shown = value) =>
  () =>
    differ('pages', async (call) => (await call('GET', '/complete')).text.includes(shown), [
      [{}, false],
      [{ [name]: value }, true],
    ]);

/** Who stands behind the pages: each setting is in the footer of all of them, or their name. */
export const operatorEffects: Record<(typeof operatorSettings)[number], Effect> = {
  SERVICE_NAME: shows('SERVICE_NAME', 'Kumo Licenses'),
  OPERATOR_NAME: shows('OPERATOR_NAME', 'Kumo K.K.'),
  OPERATOR_ADDRESS: shows('OPERATOR_ADDRESS', '1-2-3 Ginza, Tokyo'),
  OPERATOR_CONTACT: shows('OPERATOR_CONTACT', 'help@kumo.example'),
  TERMS_URL: shows('TERMS_URL', 'https://kumo.example/terms/', 'href="https://kumo.example/terms/"'),
  PRIVACY_URL: shows('PRIVACY_URL', 'https://kumo.example/privacy', 'href="https://kumo.example/privacy"'),
};
