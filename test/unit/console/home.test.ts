import { beforeAll, describe, expect, test } from '@jest/globals';
import { attentionPath, isToDo, taskPath } from '../../../functions/console/browser/seller/home/paths.ts';
import { attentionKinds } from '../../../shared/overview/attention.ts';
import { taskStates } from '../../../shared/overview/tasks.ts';
import { onboardingStatuses } from '../../../shared/payments/onboarding/onboarding-status.ts';
import { reviewStatuses, taskIds } from '../../../shared/sellers/seller.ts';
import { inLanguage } from '../../support/in-language.ts';

const products = [
  { id: 'prd_1', name: 'Pen', license_issuance_mode: 'generated_server_validated' },
  { id: 'prd_2', name: 'Ink', license_issuance_mode: 'imported_csv' },
] as const;

describe('where a task is done', () => {
  test.each([
    ['apply', 'todo', undefined, '/console/seller'],
    ['apply', 'blocked', undefined, '/console/seller'],
    ['payments', 'blocked', undefined, undefined],
    ['payments', 'action', undefined, '/console/seller'],
    ['product', 'todo', undefined, '/console/products/new'],
    ['product', 'done', 'prd_1', '/console/products'],
    ['delivery', 'todo', 'prd_1', '/console/products/prd_1/files'],
    ['delivery', 'todo', 'prd_2', '/console/products/prd_2/codes'],
    ['delivery', 'done', 'prd_unlisted', '/console/products/prd_unlisted/files'],
    ['delivery', 'blocked', undefined, undefined],
    ['review', 'action', 'prd_1', '/console/products/prd_1'],
    ['sale', 'waiting', 'prd_1', '/console/products/prd_1'],
    ['sale', 'done', 'prd_1', '/console/orders'],
    ['sale', 'blocked', undefined, undefined],
  ] as const)('%s, %s, of %s: %s', (id, state, target, place) => {
    expect(taskPath({ id, state, ...(target && { target_id: target }) }, products, false)).toBe(place);
  });

  test('offers a seller that admins closed to apply, and to look at what is done', () => {
    const open = taskIds.flatMap((id) =>
      taskStates
        .filter((state) => taskPath({ id, state, target_id: 'prd_1' }, products, true) !== undefined)
        .map((state) => ({ id, state })),
    );
    expect(open.filter(({ id }) => id === 'apply')).toHaveLength(taskStates.length);
    expect(open.filter((task) => task.id !== 'apply' && isToDo(task))).toEqual([]);
    expect(open.filter(({ id, state }) => id !== 'apply' && state === 'done')).toHaveLength(taskIds.length - 1);
  });

  test('knows of all that needs a seller but files and releases, whose product is to be looked for', () => {
    const unknown = attentionKinds.filter((kind) => attentionPath({ kind, target_id: 'a/b', since: '' }) === undefined);
    expect(unknown).toEqual(['file_rejected', 'file_failed', 'release_rejected']);
    expect(attentionPath({ kind: 'codes_short', target_id: 'a/b', since: '' })).toBe('/console/products/a%2Fb/codes');
    expect(attentionPath({ kind: 'endpoint_disabled', target_id: 'whe_1', since: '' })).toBe('/console/webhooks/whe_1');
  });
});

describe.each(['en', 'ja'] as const)('the words of the account in %s', (language) => {
  let words: any;
  beforeAll(async () => {
    const exported = `
      export { hintOf } from './seller/home/home-texts.ts';
      export { disabledWords, needWords } from './seller/account/provider-words.ts';
      export { texts } from './seller/account/account-texts.ts';`;
    words = (await inLanguage(language, exported)).exports;
  });

  test('tell what the provider wants, once, and what nobody knows as the provider calls it', () => {
    const people = ['verification.document', 'given_name', 'surname', 'script_names.kana.given_name'].map((name) => `individual.${name}`);
    const business = ['registered_name', 'documents.proof_of_registration', 'address.postal_code'].map(
      (name) => `business_details.${name}`,
    );
    const identity = [...people, ...business].map((name) => `identity.${name}`);
    const asked = [...identity, 'configuration.recipient.default_outbound_destination', 'something.of.later'];
    const told: string[] = words.needWords(asked);
    expect(told.filter((one) => one.includes('.'))).toEqual(['something.of.later']);
    expect(told).toHaveLength(7);
    expect(words.disabledWords('requirements_past_due')).not.toContain('_');
    expect(['of_later', 'constructor'].map(words.disabledWords)).toEqual(['of_later', 'constructor']);
  });

  test('tell what each state means', () => {
    expect(Object.keys(words.texts.review)).toEqual(expect.arrayContaining([...reviewStatuses]));
    expect(onboardingStatuses.filter((status) => !words.texts.onboarding[status])).toEqual([]);
    expect(taskIds.filter((id) => words.hintOf({ id, state: 'blocked' }) === undefined)).toEqual([]);
    expect(taskIds.filter((id) => words.hintOf({ id, state: 'done' }) !== undefined)).toEqual([]);
  });
});
