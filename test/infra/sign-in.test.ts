import { describe, expect, jest, test } from '@jest/globals';
import { constructAt, ownSettings, synthesizeAt } from '../support/synthesized.ts';
import { readService } from '../support/templates/service.ts';
import { everySetting, stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(120_000);

const { only, functions } = readService(await stacksAt('production'));
const [pool, client] = [only('AWS::Cognito::UserPool'), only('AWS::Cognito::UserPoolClient')];

/** The values that functions have of a setting. */
const valuesOf = (setting: string) => functions.flatMap(({ environment }) => environment[setting] ?? []);

describe('a user pool', () => {
  test('outlives the stack, and takes a new address once it is verified', () => {
    expect(pool).toMatchObject({ deletionPolicy: 'Retain', updateReplacePolicy: 'Retain' });
    expect(pool.properties).toMatchObject({
      DeletionProtection: 'ACTIVE',
      UserPoolTier: 'ESSENTIALS',
      UsernameAttributes: ['email'],
      AutoVerifiedAttributes: ['email'],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
    });
    const [domain, branding] = [only('AWS::Cognito::UserPoolDomain'), only('AWS::Cognito::ManagedLoginBranding')];
    // What a first deployment made before it failed would take its name.
    for (const part of [client, domain, branding])
      expect(part).toMatchObject({ deletionPolicy: 'RetainExceptOnCreate', updateReplacePolicy: 'Retain' });
    expect(domain.properties.ManagedLoginVersion).toBe(2);
  });

  test('has the console as a public client, which proves itself by a code and new refresh tokens alone', () => {
    expect(client.properties).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      CallbackURLs: ['https://licenses.example.com/console/callback', 'https://licenses.example.com/console/admin/callback'],
      LogoutURLs: ['https://licenses.example.com/console', 'https://licenses.example.com/console/admin'],
      // With rotation Cognito refuses the flow that gives the same one again.
      ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
      RefreshTokenRotation: { Feature: 'ENABLED' },
      EnableTokenRevocation: true,
      PreventUserExistenceErrors: 'ENABLED',
      WriteAttributes: ['email'],
    });
  });

  test('is whom every function trusts that verifies tokens, and whose client the console is', () => {
    expect(valuesOf('OIDC_ISSUER').length).toBeGreaterThan(8);
    expect(valuesOf('CONSOLE_CLIENT_ID').length).toBeGreaterThan(2);
    expect(new Set(valuesOf('OIDC_ISSUER'))).toEqual(new Set([`${pool.name}.ProviderURL`]));
    for (const setting of ['OIDC_AUDIENCE', 'CONSOLE_CLIENT_ID']) expect(new Set(valuesOf(setting))).toEqual(new Set([client.ref]));
  });

  test('has its tokens of identity sent, where the operator chooses no other', async () => {
    const { identity } = (await constructAt('production', { ...everySetting, CONSOLE_TOKEN: '' })).stacks;
    expect([identity?.settings['CONSOLE_TOKEN'], ...valuesOf('CONSOLE_TOKEN')]).toEqual(['id', 'access']);
  });
});

test('a provider of the operator’s own is told by the outputs what to enter, and no user pool is made', async () => {
  const { templates, identityTemplate } = await synthesizeAt('staging', ownSettings);
  expect(identityTemplate).toBeUndefined();
  expect(templates.api.toJSON()['Outputs']).toMatchObject({
    ConsoleCallbacks: { Value: 'https://licenses.example.com/console/callback https://licenses.example.com/console/admin/callback' },
    ConsoleLogouts: { Value: 'https://licenses.example.com/console https://licenses.example.com/console/admin' },
    ConsoleScopes: { Value: 'openid email' },
  });
  const named = JSON.stringify(templates.api.toJSON()).match(/"CONSOLE_CLIENT_ID":"[^"]*"/g);
  expect(new Set(named)).toEqual(new Set(['"CONSOLE_CLIENT_ID":"console"']));
});
