import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { schemaRules } from '../../support/templates/rules/schemas.ts';
import { readService, type Service } from '../../support/templates/service.ts';
import { stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(180_000);

describe.each(['staging', 'production'])('in the templates of %s', (stage) => {
  let service: Service;
  beforeAll(async () => {
    service = readService(await stacksAt(stage));
  });

  test.each(Object.entries(schemaRules))('%s', async (_, rule) => {
    expect(await rule(service)).toEqual([]);
  });
});
