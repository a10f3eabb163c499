import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { mistakes } from '../../support/templates/mistakes.ts';
import { schemaRules } from '../../support/templates/rules/schemas.ts';
import { wiringRules } from '../../support/templates/rules.ts';
import { readService } from '../../support/templates/service.ts';
import { type SynthesizedApp, stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(180_000);

const rules = { ...schemaRules, ...wiringRules };

describe('a mistake in the templates of production is found', () => {
  let app: SynthesizedApp;
  const faults = new Map<string, readonly string[]>();
  beforeAll(async () => {
    app = await stacksAt('production');
  });

  async function faultsOf(rule: string, planted: SynthesizedApp): Promise<readonly string[]> {
    const found = await rules[rule]?.(readService(planted));
    if (!found) throw new Error(`There is no rule: ${rule}`);
    return found;
  }

  test.each(mistakes)('where $mistake', async ({ breaks, plant }) => {
    const stacks = structuredClone(app.stacks);
    plant(stacks);
    const before = faults.get(breaks) ?? (await faultsOf(breaks, app));
    faults.set(breaks, before);
    expect((await faultsOf(breaks, { ...app, stacks })).filter((fault) => !before.includes(fault))).not.toEqual([]);
  });

  test('by every rule one at least', () => {
    const broken = new Set(mistakes.map(({ breaks }) => breaks));
    expect(Object.keys(rules).filter((rule) => !broken.has(rule))).toEqual(['every command that the code sends is known to these rules']);
  });
});
