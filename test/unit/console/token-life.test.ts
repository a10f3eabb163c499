import { describe, expect, test } from '@jest/globals';
import type { IssuerAnswer } from '../../../functions/console/browser/session/issuer.ts';
import {
  afterAnswer,
  afterRefusal,
  type HeldTokens,
  isTooShort,
  noTokens,
  renewsAt,
  type TokenLife,
  unrenewable,
  withTokens,
} from '../../../functions/console/browser/session/token-life.ts';

const minute = 60_000;
const life = withTokens(noTokens, { bearer: 'first', refreshToken: 'one', endsAt: 10 * minute }, 'usr_1', 0);
const held = life.held as HeldTokens;
const given = (tokens: object): IssuerAnswer => ({
  name: 'given',
  tokens: { bearer: 'second', endsAt: 20 * minute, refreshToken: 'two', userId: undefined, ...tokens },
});
/** What is held then, in short. */
const words = ({ held, pauses, nextTryAt }: TokenLife) =>
  [held ? `${held.bearer} by ${held.refreshToken}${held.isRefused ? ', refused' : ''}` : 'over', pauses, nextTryAt].join(' | ');

describe('tokens', () => {
  test('are renewed a minute before their end, and a short life in its middle', () => {
    expect(renewsAt(life)).toBe(9 * minute);
    expect(renewsAt(withTokens(noTokens, { bearer: 'x', refreshToken: 'x', endsAt: minute }, 'usr_1', 0))).toBe(minute / 2);
  });

  test('make a caller wait within their last five seconds, and once they are refused', () => {
    expect([isTooShort(held, 10 * minute - 5_001), isTooShort(held, 10 * minute - 5_000)]).toEqual([false, true]);
    expect(isTooShort({ ...held, isRefused: true }, 0)).toBe(true);
  });

  test.each([
    ['new ones', given({}), 'second by two | 0 | 0'],
    ['new ones of the same person', given({ userId: 'usr_1' }), 'second by two | 0 | 0'],
    ['new ones of another person', given({ userId: 'usr_2' }), 'over | 1 | 7'],
    ['one that is not rotated', given({ refreshToken: undefined }), 'second by one | 0 | 0'],
    ['none that the API takes', given({ bearer: undefined }), `first by undefined | 1 | ${10 * minute}`],
    ['a refusal', { name: 'refused' } as const, 'over | 1 | 7'],
    ['no answer', { name: 'unreachable' } as const, 'first by one | 2 | 4100'],
  ])('after a renewal that brought %s', (_, answer, expected) => {
    expect(words(afterAnswer({ ...life, pauses: 1, nextTryAt: 7 }, held, answer, 100))).toBe(expected);
  });

  test('are asked for after 2 s, doubled up to 30 s, while no answer comes', () => {
    let now = life;
    const waits = Array.from({ length: 6 }, () => {
      now = afterAnswer(now, held, { name: 'unreachable' }, 0);
      return now.nextTryAt;
    });
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(renewsAt(now)).toBe(9 * minute);
  });

  test.each([
    ['live', held, 0, `first by one | 0 | ${10 * minute}`],
    ['have ended', held, 10 * minute, 'over | 0 | 0'],
    ['were refused', { ...held, isRefused: true }, 0, 'over | 0 | 0'],
    ['are not there', undefined, 0, 'over | 0 | 0'],
  ])('that nothing renews and that %s', (_, of, now, expected) => {
    expect(words(unrenewable({ ...life, held: of }, now))).toBe(expected);
  });

  test('are renewed at once when the API refuses them, and over when it does so again within a minute', () => {
    const refused = afterRefusal({ ...life, nextTryAt: 5 }, 'first', 100);
    expect([words(refused), renewsAt(refused)]).toEqual(['first by one, refused | 0 | 0', 0]);
    const next = withTokens(refused, { bearer: 'second', refreshToken: 'two', endsAt: 20 * minute }, 'usr_1', 200);
    expect(words(afterRefusal(next, 'second', 100 + minute - 1))).toBe('over | 0 | 0');
    expect(words(afterRefusal(next, 'second', 100 + minute))).toBe('second by two, refused | 0 | 0');
  });

  test('stay as they are when another token is refused, or the same twice, or none is held', () => {
    const refused = afterRefusal(life, 'first', 0);
    for (const [of, token] of [
      [life, 'other'],
      [refused, 'first'],
      [noTokens, 'first'],
    ] as const)
      expect(afterRefusal(of, token, 1)).toBe(of);
  });
});
