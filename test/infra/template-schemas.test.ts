import { beforeAll, expect, jest, test } from '@jest/globals';
import { find, type Mistakes, set } from '../support/templates/mistakes/mistake.ts';
import { registryFindings } from '../support/templates/rules/schemas.ts';
import { readService } from '../support/templates/service.ts';
import { type SynthesizedApp, stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(180_000);

const mistakes: Mistakes[string] = {
  'a type is misspelled': (stacks) => {
    find(stacks, 'AWS::SQS::Queue').resource.Type = 'AWS::SQS::Queues';
  },
  'a property is misspelled': set('AWS::SQS::Queue', /^MailQueue/, 'VisibilityTimeoutSeconds', 360),
  'an alarm compares in a way that there is not': set('AWS::CloudWatch::Alarm', /^DeadJobs/, 'ComparisonOperator', 'GreaterThan'),
};

let app: SynthesizedApp;
beforeAll(async () => {
  app = await stacksAt('production');
});

test('nothing contradicts the registry schemas, neither as an error nor as a warning', () => {
  expect(registryFindings(readService(app))).toEqual([]);
});

test.each(Object.entries(mistakes))('it is told where %s', (_, plant) => {
  const stacks = structuredClone(app.stacks);
  plant(stacks);
  expect(registryFindings(readService({ ...app, stacks }))).not.toEqual([]);
});
