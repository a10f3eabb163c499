import { gzipSync } from 'node:zlib';
import { expect, jest, test } from '@jest/globals';
import { assetNames, assetsPath } from '../../functions/console/assets.ts';
import { compose } from '../../functions/console/compose.ts';
import { settingNames } from '../../functions/console/declaration.ts';
import { routes } from '../../functions/console/routes.ts';
import { roles } from '../../functions/console/screens.ts';
import { bundleConsoleAssets } from '../../infra/bundles/bundle-console-assets.ts';
import { locales } from '../../shared/locale.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { createAssets } from '../../shared/page-delivery/assets.ts';
import { startIssuer } from '../support/engines/token-issuer.ts';
import { createCaller } from '../support/http/http-event.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';

jest.setTimeout(60_000);

/** What a first visit may load of the console once one has signed in, in bytes and files. */
const most = { bytes: 90_000, files: 8 };

const built = await bundleConsoleAssets();
const sizeOf = (text: string) => gzipSync(text).length;

test.each(roles.flatMap((role) => locales.map((locale) => [role, locale] as const)))(
  'the first visit of a %s in %s loads at most 90 KB, in at most 8 files',
  async (role, locale) => {
    const issuer = await startIssuer();
    const consoleAssets = createAssets(assetsPath, built);
    const settings = sampleSettings(settingNames, { CONSOLE_CLIENT_ID: 'console', OIDC_ISSUER: issuer.url });
    const call = createCaller(compose({ settings, logger: createLogger({}, () => undefined), consoleAssets }), routes, {
      described: false,
    });
    const path = role === 'seller' ? '/console' : '/console/admin';
    const shell = (await call('GET', `${path}?lang=${locale}`)).text;
    const config = (await call('GET', '/console/config.json')).text;
    await issuer.stop();
    const loaded = assetNames.filter((name) => shell.includes(`"${consoleAssets.pathOf(name)}"`));
    expect(loaded).toEqual([
      `${role}-${locale}.js`,
      ...(role === 'seller' ? [`${role}-base-${locale}.js`] : []),
      'console.css',
      'icon.svg',
    ]);
    const parts: Record<string, number> = { shell: sizeOf(shell), 'config.json': sizeOf(config) };
    // Sellers upload files, for which they load the worker as well.
    const used = [...loaded, ...(role === 'seller' ? ['hash-worker.js'] : [])];
    for (const [name, text] of built) if (used.includes(name)) parts[name] = sizeOf(text);
    const total = Object.values(parts).reduce((sum, size) => sum + size, 0);
    expect({ parts, isSmall: total <= most.bytes, total }).toEqual({ parts, isSmall: true, total });
    expect(Object.keys(parts).length).toBeLessThanOrEqual(most.files);
  },
);

test('each script speaks one language, and none that another role needs', () => {
  const texts = new Map(built);
  expect([...texts.keys()].sort()).toEqual([...assetNames].sort());
  for (const [name, text] of built) {
    expect([name, text.length > 0]).toEqual([name, true]);
    // What a policy of ours would refuse, or what only development needs.
    expect([name, /\beval\(|new Function\(|process\.env/.exec(text)?.[0]]).toEqual([name, undefined]);
    const japanese = /[\u3040-\u30ff]/.test(text);
    if (name.endsWith('-en.js')) expect([name, japanese]).toEqual([name, false]);
    if (name.endsWith('-ja.js')) expect([name, japanese]).toEqual([name, true]);
  }
});
