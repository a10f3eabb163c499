import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib/core';
import { account } from '../support/templates/identifiers.ts';
import { set } from '../support/templates/mistake.ts';
import { type SynthesizedStack, stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(180_000);

const engine = new CloudFormationValidatePlugin();

/** What CloudFormation itself would refuse, as the engine of `cdk synth` finds it, its warnings too: an unknown enum value is no more than that to it. */
function registryFindings(stacks: readonly SynthesizedStack[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    return stacks.flatMap(({ name: stackConstructPath, region, template }) => {
      const templatePath = join(folder, `${stackConstructPath}.template.json`);
      writeFileSync(templatePath, JSON.stringify(template));
      const context = { stackTemplates: [{ stackConstructPath, templatePath, accountId: account, region }], templatePaths: [templatePath] };
      // It reads nothing else of its context.
      const { violations } = engine.validate(context as unknown as Parameters<typeof engine.validate>[0]);
      return violations.flatMap(({ ruleName, description, violatingResources }) =>
        violatingResources.map(({ resourceLogicalId }) => `${resourceLogicalId}: ${ruleName} ${description}`),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('nothing contradicts the registry schemas, not even as a warning, which an unknown value is', async () => {
  const { stacks } = await stacksAt('production');
  expect(registryFindings(stacks)).toEqual([]);
  set('AWS::CloudWatch::Alarm', /^DeadJobs/, 'ComparisonOperator', 'GreaterThan')(stacks);
  expect(registryFindings(stacks.filter(({ name }) => name.endsWith('-operations')))).not.toEqual([]);
});
