import { describe, expect, jest, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { synthesizeAt } from '../../support/synthesized.ts';
import { isArnLike, textIn } from '../../support/template-texts.ts';

jest.setTimeout(60_000);

const propertiesOf = (template: Template, type: string) =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, Properties] as const);

/** As whom the gateway calls the function of a route: of `$default`, which has neither method nor path, by its name alone. */
function callerOf(apiId: string, stage: string, routeKey: string): string {
  const api = `arn:aws:execute-api:eu-west-1:111122223333:${apiId}`;
  return routeKey === '$default' ? `${api}/${stage}/$default` : `${api}/${stage}/${routeKey.replace(' ', '')}`;
}

/** What the gateway calls, and as whom, for each route of the template. */
function callsOf(template: Template) {
  const integrations = new Map(
    propertiesOf(template, 'AWS::ApiGatewayV2::Integration').map(([id, { IntegrationUri }]) => [id, IntegrationUri]),
  );
  const [[, { StageName }]] = propertiesOf(template, 'AWS::ApiGatewayV2::Stage') as [[string, any]];
  return propertiesOf(template, 'AWS::ApiGatewayV2::Route').map(([, { ApiId, RouteKey, Target }]) => ({
    routeKey: RouteKey,
    target: JSON.stringify(integrations.get(textIn(Target).replace('integrations/', ''))),
    caller: callerOf(textIn(ApiId), StageName, RouteKey),
  }));
}

const permissionsIn = (template: Template) =>
  propertiesOf(template, 'AWS::Lambda::Permission').filter(([, { Principal }]) => Principal === 'apigateway.amazonaws.com');

describe.each(['staging', 'production'])('at %s', (stage) => {
  test('the gateway may call the function of every route, of the route for everything else too', async () => {
    const { api } = (await synthesizeAt(stage)).templates;
    const permissions = permissionsIn(api).map(([, properties]) => properties);
    const isAllowed = ({ target, caller }: { target: string; caller: string }) =>
      permissions.some(
        ({ Action, FunctionName, SourceArn }) =>
          Action === 'lambda:InvokeFunction' && JSON.stringify(FunctionName) === target && isArnLike(textIn(SourceArn), caller),
      );
    const calls = callsOf(api);
    expect(calls.map(({ routeKey }) => routeKey)).toEqual(expect.arrayContaining(['$default', 'ANY /v1/licenses/validate']));
    expect(calls.filter((call) => !isAllowed(call)).map(({ routeKey, target }) => `${routeKey} → ${target}`)).toEqual([]);
  });

  test('an update permits the gateway to call a function before it has it called', async () => {
    const { api } = (await synthesizeAt(stage)).templates;
    const permissions = new Map(permissionsIn(api).map(([id, { FunctionName }]) => [id, JSON.stringify(FunctionName)]));
    for (const { Properties, DependsOn = [] } of Object.values<any>(api.findResources('AWS::ApiGatewayV2::Integration'))) {
      expect(DependsOn.map((id: string) => permissions.get(id))).toEqual([JSON.stringify(Properties.IntegrationUri)]);
    }
  });

  test('a function has one permission for its routes, however many they are, and each names this API', async () => {
    const { templates, functions } = await synthesizeAt(stage);
    const served = functions.filter(({ routes }) => routes.length > 0);
    const sources = permissionsIn(templates.api).map(([, { SourceArn }]) => textIn(SourceArn));
    expect(sources.filter((source) => source.endsWith('/*/*/*'))).toHaveLength(served.length);
    expect(sources).toHaveLength(served.length + 1);
    for (const source of sources) expect(source).toMatch(/^arn:aws:execute-api:eu-west-1:111122223333:Api\w+\//);
  });
});

test.each([
  ['arn:aws:execute-api:r:1:api/*/*/*', 'arn:aws:execute-api:r:1:api/$default/GET/p/x', true],
  ['arn:aws:execute-api:r:1:api/*/*/*', 'arn:aws:execute-api:r:1:api/$default/$default', false],
  ['arn:aws:execute-api:r:1:api/*/*', 'arn:aws:execute-api:r:1:api/$default/$default', true],
  ['arn:aws:execute-api:r:1:other/*/*', 'arn:aws:execute-api:r:1:api/$default/$default', false],
])('%s names %s: %j', (pattern, arn, named) => {
  expect(isArnLike(pattern, arn)).toBe(named);
});
