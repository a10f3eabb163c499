import { describe, expect, test } from '@jest/globals';
import { fault, faultOf, messageOf, type Rule } from '../../shared/faults/fault.ts';
import { inJapanese, inJapaneseOrGeneral } from '../../shared/faults/japanese.ts';
import { readFault, readMessage } from '../../shared/faults/read-fault.ts';
import * as rules from '../../shared/faults/rules.ts';

const all: [id: string, rule: Rule][] = Object.entries(rules);

/** What a parameter may be, by its kind: among others what the words of other rules look like. */
const samples: Record<string, readonly string[]> = {
  number: ['0', '1', '2', '12', '0.010', '-3', '99999999'],
  word: ['a', 'artifacts.12', 'x-y_z'],
  text: ['a', 'JPY, USD', '¥1,200.50', '1', 'approve or reject', 'must be text'],
};

/** A rule's parameters, each as every sample of its kind. */
function drawn(rule: Rule): Record<string, string>[] {
  const params = [...rule.matchAll(/\{(\w+):(\w+)\}/g)].map(([, name = '', kind = '']) => [name, samples[kind]!] as const);
  return Array.from({ length: 7 }, (_, at) => Object.fromEntries(params.map(([name, of]) => [name, of[at % of.length]!])));
}

const faultsOf = (rule: Rule): [text: string, params: Record<string, string>][] =>
  drawn(rule).map((params) => [(fault as (rule: Rule, params: object) => string)(rule, params), params]);

describe.each(all)('the rule %s', (id, rule) => {
  test('is read back from its words, with its parameters', () => {
    for (const [text, params] of faultsOf(rule)) {
      expect(text).not.toMatch(/[{}]|\(s\)/);
      expect(readFault(text)).toEqual({ id, params });
    }
  });

  test('is read back from a message, beside other faults', () => {
    // Of a row of codes, which no message tells of.
    if (rule.endsWith('.')) return;
    for (const [text] of faultsOf(rule)) {
      const faults = [
        faultOf('name', rules.missing),
        `feature_labels.Pro mode.ja ${text}`,
        faultOf('price_amount', rules.tooLarge, { max: 7 }),
      ];
      expect(readMessage(messageOf(faults))).toEqual([
        { field: 'name', text: 'is missing' },
        { field: 'feature_labels.Pro mode.ja', text },
        { field: 'price_amount', text: 'must be at most 7' },
      ]);
    }
  });

  test('has Japanese words, without parameters that it does not have', () => {
    for (const [text] of faultsOf(rule)) {
      expect(inJapanese(text)).toMatch(/^[^{}]*[\u3041-\u30ff][^{}]*$/);
      expect(inJapanese(text)).not.toContain('undefined');
    }
  });
});

test('numbers are told with their plural, and grouped in Japanese', () => {
  expect([1, 2, 20_000].map((max) => fault(rules.tooLong, { max }))).toEqual([
    'must be at most 1 character long',
    'must be at most 2 characters long',
    'must be at most 20000 characters long',
  ]);
  expect(inJapanese(fault(rules.tooLong, { max: 20_000 }))).toBe('は20,000文字以内で入力してください');
  expect(inJapanese(fault(rules.notChargeable, { step: '0.010' }))).toBe('は0.010の倍数にしてください');
});

test('of a later version nothing is known but the field', () => {
  expect(readFault('must be as blue as the sky')).toBeUndefined();
  expect(inJapanese('must be as blue as the sky')).toBeUndefined();
  expect(inJapaneseOrGeneral('must be as blue as the sky')).toBe('の入力内容を確認してください');
  expect(readMessage('features.1 must be as blue as the sky; The builds must rise.')).toEqual([
    { field: 'features.1', text: 'must be as blue as the sky' },
    { field: '', text: 'The builds must rise.' },
  ]);
});
