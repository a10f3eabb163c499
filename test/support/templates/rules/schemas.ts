import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib/core';
import { account } from '../identifiers.ts';
import type { Service } from '../service.ts';

const engine = new CloudFormationValidatePlugin();

/** What the engine found in a template before; a planted mistake changes one of many. */
const known = new Map<string, readonly string[]>();

/** What CloudFormation itself would refuse, as the engine of `cdk synth` finds it, its warnings too: an unknown enum value is no more than that to it. */
export function registryFindings({ stacks }: Service): string[] {
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
