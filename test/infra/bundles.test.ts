import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { assetNames as consoleAssetNames } from '../../functions/console/assets.ts';
import { assetNames } from '../../functions/pages/assets/assets.ts';
import { type BundledFunction, bundledFunctions, byteBudgetOf } from '../support/bundles.ts';

jest.setTimeout(120_000);

describe('bundles', () => {
  let functions: BundledFunction[];
  beforeAll(async () => {
    functions = await bundledFunctions();
  });

  test('each holds at most 900 KB, and what apps wait for less', () => {
    expect(['admin', 'licenses', 'updates'].map(byteBudgetOf)).toEqual([800_000, 200_000, 250_000]);
    const large = functions.filter(({ definition, bundle }) => bundle.bytes > byteBudgetOf(definition.name));
    expect(large.map(({ definition, bundle }) => `${definition.name}: ${bundle.bytes}`)).toEqual([]);
  });

  test('the licenses function holds no code for payment, files, queues or mail', () => {
    const licenses = functions.find(({ definition }) => definition.name === 'licenses')!.bundle;
    const foreign = /\/(stripe|jose|@aws-sdk\/(client-s3|client-sqs|client-sesv2|s3-request-presigner))\//;
    expect(Object.keys(licenses.inputs).filter((input) => foreign.test(input))).toEqual([]);
  });

  test('the functions that somebody waits for ask AWS without the SDK’s clients, and all others ask the table by it', () => {
    const bySdk = functions.filter(({ bundle }) => Object.keys(bundle.inputs).some((input) => input.includes('/@aws-sdk/lib-dynamodb/')));
    const without = functions.filter((each) => !bySdk.includes(each) && each.definition.settingNames.includes('TABLE_NAME'));
    expect(without.map(({ definition }) => definition.name)).toEqual(['licenses', 'pages', 'updates']);
    const clients = without.flatMap(({ bundle }) => Object.keys(bundle.inputs).filter((input) => input.includes('/@aws-sdk/client-')));
    expect(clients).toEqual([]);
  });

  test('the pages find what browsers load beside their code', () => {
    const pages = functions.find(({ definition }) => definition.name === 'pages')!.bundle;
    expect(readdirSync(join(pages.folder, 'assets')).sort()).toEqual([...assetNames].sort());
  });

  test('each script of the console speaks one language', () => {
    const folder = join(functions.find(({ definition }) => definition.name === 'console')!.bundle.folder, 'assets');
    expect(readdirSync(folder).sort()).toEqual([...consoleAssetNames].sort());
    for (const name of consoleAssetNames) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect([name, text.length > 0]).toEqual([name, true]);
      // What a policy of ours would refuse, or what only development needs.
      expect([name, /\beval\(|new Function\(|process\.env/.exec(text)?.[0]]).toEqual([name, undefined]);
      const [, language] = /-(en|ja)\.js$/.exec(name) ?? [];
      if (language) expect([name, /[\u3040-\u30ff]/.test(text)]).toEqual([name, language === 'ja']);
    }
  });

  test('none looks for credentials outside its environment', () => {
    const inputs = functions.flatMap(({ bundle }) => Object.keys(bundle.inputs));
    expect(inputs.filter((input) => /credential-provider-(node|ini|sso|process|web-identity)\//.test(input))).toEqual([]);
  });
});
