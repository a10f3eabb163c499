import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib/core';
import { account } from '../identifiers.ts';
import type { Rules } from '../rule.ts';
import type { Service } from '../service.ts';

const engine = new CloudFormationValidatePlugin();

/** What the engine found in a template before; a planted mistake changes one of many. */
const known = new Map<string, readonly string[]>();

/** What the engine of `cdk synth` finds, its warnings too: an unknown enum value is no more than that to it. */
function findings({ stacks }: Service): string[] {
  return stacks.flatMap(({ name, region, template }) => {
    const text = JSON.stringify(template);
    const found = known.get(`${name} ${text}`) ?? findingsIn(name, region, text);
    known.set(`${name} ${text}`, found);
    return found;
  });
}

function findingsIn(stackConstructPath: string, region: string, text: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const templatePath = join(folder, `${stackConstructPath}.template.json`);
    writeFileSync(templatePath, text);
    const context = { stackTemplates: [{ stackConstructPath, templatePath, accountId: account, region }], templatePaths: [templatePath] };
    // It reads nothing else of its context.
    const { violations } = engine.validate(context as unknown as Parameters<typeof engine.validate>[0]);
    return violations.flatMap(({ ruleName, description, violatingResources }) =>
      violatingResources.map(({ resourceLogicalId }) => `${resourceLogicalId}: ${ruleName} ${description}`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What CloudFormation itself would refuse; cycles and sizes end the synthesis. */
export const schemaRules: Rules = {
  'nothing contradicts the registry schemas, neither as an error nor as a warning': findings,

  'every reference leads to a resource, an attribute or an export that exists': ({ dangling }) => dangling,
};
