import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type Bundle, bundleFunctions, discardBundles } from '../../../infra/bundles/bundle-functions.ts';
import { findFunctions } from '../../../infra/bundles/find-functions.ts';
import { addService } from '../../../infra/service.ts';
import { operatorSettings } from '../../support/synthesized.ts';

jest.setTimeout(180_000);

const made: ReadonlyMap<string, Bundle>[] = [];
afterAll(() => {
  for (const bundles of made) discardBundles(bundles);
});

/** As `infra/app.ts` does for an operator: what is uploaded of each function, and what each is deployed from. */
async function buildAt(stage: string, settings: Record<string, string>) {
  Object.assign(process.env, { STAGE: stage, ...settings });
  const functions = await findFunctions();
  const bundles = await bundleFunctions(functions);
  made.push(bundles);
  const { api, workers } = addService(new App(), { functions, bundles, stage, operator: { ...settings, STAGE: stage } });
  const lambdas = [api, workers].flatMap((stack) => Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function')));
  return {
    contents: Object.fromEntries([...bundles].map(([name, { folder }]) => [name, hashOf(folder)])),
    uploads: Object.fromEntries(lambdas.map(({ Properties }) => [Properties.Description, Properties.Code.S3Key])),
  };
}

function hashOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort())
    hash.update(path.slice(folder.length)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

test('what is tested at staging is, byte for byte, what production is deployed from', async () => {
  const staging = await buildAt('staging', operatorSettings);
  const production = await buildAt('production', {
    ...operatorSettings,
    PUBLIC_BASE_URL: 'https://shop.example.com',
    CLAMD_URL: 'tcp://clamd.internal:3310',
    BUYER_MOVES: '3',
  });
  expect(Object.keys(staging.contents)).toEqual(expect.arrayContaining(['docs', 'licenses', 'mail-sender']));
  expect(production.contents).toEqual(staging.contents);
  expect(Object.values(staging.uploads)).toEqual(Object.values(staging.uploads).map(() => expect.stringMatching(/^[0-9a-f]{64}\.zip$/)));
  expect(production.uploads).toEqual(staging.uploads);
});
