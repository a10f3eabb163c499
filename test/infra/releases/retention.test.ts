import { describe, expect, jest, test } from '@jest/globals';
import { secretSettings } from '../../../shared/config.ts';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(60_000);

/** The name that the template itself gives a resource, so that a second one cannot be made beside it. */
function fixedName({ Type, Properties = {} }: any): string | undefined {
  const property = ['Name', `${Type.split('::')[2]}Name`].find((name) => typeof Properties[name] === 'string');
  return property && Properties[property];
}

describe.each(['staging', 'production'])('at %s', (stage) => {
  const kept = async () => {
    const { templates } = await synthesizeAt(stage);
    const resources = Object.values(templates).flatMap((template) => Object.values<any>(template.toJSON()['Resources']));
    return resources.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete');
  };

  test('a first deployment that fails leaves nothing behind whose name the next one needs', async () => {
    const named = (await kept()).filter((resource) => fixedName(resource) !== undefined);
    expect(named).toHaveLength(secretSettings.size);
    for (const { DeletionPolicy } of named) expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('a first deployment that fails does not get stuck at a table that is protected from deletion', async () => {
    const [table] = (await kept()).filter(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable');
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', Properties: { Replicas: [{ DeletionProtectionEnabled: true }] } });
  });
});
