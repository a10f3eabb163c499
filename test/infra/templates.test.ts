import { describe, expect, jest, test } from '@jest/globals';
import type { Plant, Rules } from '../support/templates/mistake.ts';
import { accessRules } from '../support/templates/rules/access.ts';
import { keepingRules } from '../support/templates/rules/keeping.ts';
import { updatingRules } from '../support/templates/rules/updating.ts';
import { wiringRules } from '../support/templates/rules/wiring.ts';
import { readService } from '../support/templates/service.ts';
import { stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(180_000);

const rules: Rules = { ...wiringRules, ...accessRules, ...keepingRules, ...updatingRules };
const production = await stacksAt('production');
const services = { production: readService(production), staging: readService(await stacksAt('staging')) };

const planted = (plant: Plant) => {
  const stacks = structuredClone(production.stacks);
  plant(stacks);
  return { ...production, stacks };
};

describe.each(Object.entries(rules))('%s', (_, { faults, mistakes }) => {
  test.each(Object.entries(services))('at %s', (_stage, service) => {
    expect(faults(service)).toEqual([]);
  });

  test.each(Object.entries(mistakes))('and otherwise it is told: %s', (_mistake, plant) => {
    expect(faults(readService(planted(plant)))).not.toEqual([]);
  });
});

test('nothing has the same name at both stages, which may share an account', () => {
  // The address that sends mails is the operator's to choose; what verifies it is one or the other stage's.
  const [atProduction = [], atStaging = []] = Object.values(services).map(({ resources }) =>
    resources.filter(({ type }) => type !== 'AWS::SES::EmailIdentity').map(({ type, arn }) => `${type} ${arn}`),
  );
  const known = new Set(atStaging);
  expect(atProduction.filter((name) => known.has(name))).toEqual([]);
});
