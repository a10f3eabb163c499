import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { operatorSettings, type Synthesized, synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(60_000);

type Properties = Record<string, any>;
const { OIDC_ISSUER: _issuer, OIDC_AUDIENCE: _audience, ...others } = operatorSettings;
const create = { ...others, CONSOLE_USER_POOL: 'create' };
const only = (template: Template, type: string): Properties => {
  const found = Object.values(template.findResources(type));
  expect([type, found.length]).toEqual([type, 1]);
  return found[0]!;
};
const environments = ({ templates }: Synthesized) =>
  [templates.api, templates.workers].flatMap((template) =>
    Object.values(template.findResources('AWS::Lambda::Function')).map(
      ({ Properties }): Properties => Properties.Environment?.Variables ?? {},
    ),
  );
const outputs = ({ templates: { api } }: Synthesized) =>
  Object.fromEntries(Object.entries(api.findOutputs('*')).map(([name, { Value }]) => [name, Value]));

describe('a user pool', () => {
  let service: Synthesized;
  let template: Template;
  beforeAll(async () => {
    service = await synthesizeAt('production', create);
    template = service.identityTemplate!;
  });

  test('outlives the stack, and takes a new address once it is verified', () => {
    const { Properties: pool, ...policies } = only(template, 'AWS::Cognito::UserPool');
    expect(policies).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(pool).toMatchObject({
      DeletionProtection: 'ACTIVE',
      UserPoolTier: 'ESSENTIALS',
      UsernameAttributes: ['email'],
      AutoVerifiedAttributes: ['email'],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
    });
    for (const type of ['AWS::Cognito::UserPoolClient', 'AWS::Cognito::UserPoolDomain', 'AWS::Cognito::ManagedLoginBranding']) {
      // What a first deployment made before it failed would take its name.
      expect(only(template, type)).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    }
    expect(only(template, 'AWS::Cognito::UserPoolDomain')['Properties']).toMatchObject({ ManagedLoginVersion: 2 });
  });

  test('has the console as a public client, which proves itself by a code and new refresh tokens alone', () => {
    expect(only(template, 'AWS::Cognito::UserPoolClient')['Properties']).toMatchObject({
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
    const [client] = Object.keys(template.findResources('AWS::Cognito::UserPoolClient'));
    const imported = (part: string) => ({
      'Fn::ImportValue': expect.stringMatching(new RegExp(`^license-service-production-identity:.*${part}`)),
    });
    const having = (name: string) => environments(service).filter((variables) => name in variables);
    expect(having('OIDC_ISSUER').length).toBeGreaterThan(8);
    for (const { OIDC_ISSUER, OIDC_AUDIENCE } of having('OIDC_ISSUER')) {
      expect([OIDC_ISSUER, OIDC_AUDIENCE]).toEqual([imported('ProviderURL'), imported(client!)]);
    }
    expect(having('CONSOLE_CLIENT_ID').length).toBeGreaterThan(2);
    for (const { CONSOLE_CLIENT_ID } of having('CONSOLE_CLIENT_ID')) expect(CONSOLE_CLIENT_ID).toEqual(imported(client!));
    expect(having('CONSOLE_TOKEN').map(({ CONSOLE_TOKEN }) => CONSOLE_TOKEN)).toEqual(['id']);
  });

  test('leaves it to the operator which token is sent', async () => {
    const chosen = await synthesizeAt('production', { ...create, CONSOLE_TOKEN: 'access' });
    expect(environments(chosen).flatMap(({ CONSOLE_TOKEN }) => CONSOLE_TOKEN ?? [])).toEqual(['access']);
  });

  test.each([
    [{ CONSOLE_USER_POOL: 'yes' }, 'CONSOLE_USER_POOL is malformed'],
    [{ OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_ISSUER is given, and CONSOLE_USER_POOL makes its own'],
    [{ OIDC_AUDIENCE: 'a' }, 'OIDC_AUDIENCE is given, and CONSOLE_USER_POOL makes its own'],
    [{ CONSOLE_CLIENT_ID: 'a' }, 'CONSOLE_CLIENT_ID is given, and CONSOLE_USER_POOL makes its own'],
    [{ AUTH_MODE: 'local' }, 'CONSOLE_USER_POOL needs AUTH_MODE oidc'],
    [{ CONSOLE_TOKEN: 'both' }, 'CONSOLE_TOKEN is malformed'],
    [{ PUBLIC_BASE_URL: '' }, 'PUBLIC_BASE_URL is missing'],
  ])('is not made with %j: %s', async (change, message) => {
    await expect(synthesizeAt('staging', { ...create, ...change })).rejects.toThrow(message);
  });
});

describe('a provider of the operator’s own', () => {
  test('is told by the outputs what to enter, and no user pool is made', async () => {
    const service = await synthesizeAt('staging', { ...operatorSettings, OIDC_AUDIENCE: 'licenses,console', CONSOLE_CLIENT_ID: 'console' });
    expect(service.identityTemplate).toBeUndefined();
    expect(outputs(service)).toMatchObject({
      ConsoleCallbacks: 'https://licenses.example.com/console/callback https://licenses.example.com/console/admin/callback',
      ConsoleLogouts: 'https://licenses.example.com/console https://licenses.example.com/console/admin',
      ConsoleScopes: 'openid email',
    });
    const named = environments(service).flatMap(({ CONSOLE_CLIENT_ID }) => CONSOLE_CLIENT_ID ?? []);
    expect(new Set(named)).toEqual(new Set(['console']));
  });

  test('must let the console’s tokens in', async () => {
    await expect(synthesizeAt('staging', { ...operatorSettings, CONSOLE_CLIENT_ID: 'console' })).rejects.toThrow(
      'CONSOLE_CLIENT_ID is not in OIDC_AUDIENCE',
    );
  });
});

test('the gateway has room for its routes', async () => {
  const { templates } = await synthesizeAt('production');
  expect(Object.keys(templates.api.findResources('AWS::ApiGatewayV2::Route')).length).toBeLessThanOrEqual(300);
});
