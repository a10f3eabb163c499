import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { mistakes } from '../support/templates/mistakes.ts';
import { rules } from '../support/templates/rules.ts';
import { readService } from '../support/templates/service.ts';
import { type SynthesizedApp, stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(180_000);

const stages = ['production', 'staging'];
const ruleNames = Object.keys(rules);
const apps = new Map<string, SynthesizedApp>();
beforeAll(async () => {
  for (const stage of stages) apps.set(stage, await stacksAt(stage));
});

async function faultsOf(rule: string, app: SynthesizedApp | undefined): Promise<readonly string[]> {
  const check = rules[rule];
  if (!check || !app) throw new Error(`There is no rule: ${rule}`);
  return check(readService(app));
}

describe.each(stages)('in the templates of %s', (stage) => {
  test.each(ruleNames)('%s', async (rule) => {
    expect(await faultsOf(rule, apps.get(stage))).toEqual([]);
  });
});

describe.each(ruleNames)('%s, and otherwise it is told', (rule) => {
  test.each(Object.entries(mistakes[rule] ?? {}))('where %s', async (_, plant) => {
    const stacks = structuredClone(apps.get('production')?.stacks ?? []);
    plant(stacks);
    expect(await faultsOf(rule, { stage: 'production', definitions: [], ...apps.get('production'), stacks })).not.toEqual([]);
  });
});

test('every rule has a mistake that breaks it, and every mistake a rule', () => {
  expect(Object.keys(mistakes).sort()).toEqual(ruleNames.toSorted());
});

test('nothing has the same name at both stages, which may share an account', () => {
  // The address that sends mails is the operator's to choose; what verifies it is one or the other stage's.
  const ours = (stage: string) => readService(apps.get(stage)!).resources.filter(({ type }) => type !== 'AWS::SES::EmailIdentity');
  const namesAt = (stage: string) => ours(stage).map(({ type, arn }) => `${type} ${arn}`);
  const atStaging = new Set(namesAt('staging'));
  expect(namesAt('production').filter((name) => atStaging.has(name))).toEqual([]);
});
