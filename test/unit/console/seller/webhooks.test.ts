import { beforeAll, describe, expect, test } from '@jest/globals';
import { sellerEventTypes } from '../../../../shared/seller-events/seller-event.ts';
import { attemptErrors } from '../../../../shared/webhook-endpoints/deliveries/delivery.ts';
import { inLanguage } from '../../../support/in-language.ts';

const room: Record<'en' | 'ja', any> = { en: undefined, ja: undefined };

beforeAll(async () => {
  const parts = ['endpoint-values.ts', 'delivery-values.ts', 'webhooks-texts.ts'];
  const exported = parts.map((part) => `export * from './seller/webhooks/${part}';`).join('\n');
  for (const language of ['en', 'ja'] as const) room[language] = (await inLanguage(language, exported)).exports;
});

const endpoint = { id: 'whe_1', url: 'https://shop.example/hook', event_types: [...sellerEventTypes], enabled: true, created_at: 'x' };

describe('the form of a webhook', () => {
  test('offers every type of event there is', () => {
    expect([...room.en.eventTypes].sort()).toEqual([...sellerEventTypes].sort());
  });

  test('leaves the types out where none or all are ticked, so that later ones come too', () => {
    const { creation, noEndpoint, eventTypes } = room.en;
    const made = (event_types: readonly string[]) => creation({ ...noEndpoint, url: ' https://shop.example ', event_types });
    expect([made([]), made(eventTypes)]).toEqual([{ url: 'https://shop.example' }, { url: 'https://shop.example' }]);
    expect(made(['test', 'order.paid'])).toEqual({ url: 'https://shop.example', event_types: ['order.paid', 'test'] });
    expect(creation({ ...noEndpoint, url: 'x', description: ' Shop ' })).toEqual({ url: 'x', description: 'Shop' });
  });

  test('sends what differs alone', () => {
    const { change, endpointValues, eventTypes } = room.en;
    const values = endpointValues(endpoint);
    expect([change(values, endpoint), change({ ...values, event_types: [] }, endpoint)]).toEqual([{}, {}]);
    expect(change({ ...values, description: 'Shop', enabled: false }, endpoint)).toEqual({ description: 'Shop', enabled: false });
    expect(change({ ...values, event_types: ['test', 'order.paid'] }, endpoint)).toEqual({ event_types: ['order.paid', 'test'] });
    const narrow = { ...endpoint, event_types: ['test'] as const, description: 'Shop' };
    expect(change({ ...endpointValues(narrow), event_types: [], description: ' ' }, narrow)).toEqual({
      event_types: eventTypes,
      description: '',
    });
  });
});

describe('deliveries', () => {
  test('that failed say why in words of both languages', () => {
    for (const { answerOf, texts } of [room.en, room.ja]) {
      expect(Object.keys(texts.errors).sort()).toEqual([...attemptErrors, 'event_gone'].sort());
      for (const error of attemptErrors) expect(answerOf({ last_error: error })).toBe(texts.errors[error]);
      expect(answerOf({ last_error: 'status', last_status_code: 503 })).toBe(`${texts.errors.status}, HTTP 503`);
      expect([answerOf({}), answerOf({ last_error: 'of_later' })]).toEqual(['', 'of_later']);
    }
  });

  test('are looked at soon while one is due or was asked for, later while one waits, and else not', () => {
    const { pollEvery } = room.en;
    const now = Date.parse('2026-11-25T00:00:00.000Z');
    const waiting = (seconds: number) => ({ status: 'pending', next_attempt_at: new Date(now + seconds * 1000).toISOString() });
    for (const [deliveries, askedAt, rate] of [
      [[], now - 1000, 1000],
      [[{ status: 'delivered' }, { status: 'failed' }], 0, false],
      [[waiting(3600), waiting(5)], 0, 2000],
      [[{ status: 'pending' }], 0, 2000],
      [[waiting(3600)], 0, 10_000],
    ]) {
      expect(pollEvery(deliveries, now, askedAt)).toBe(rate);
    }
  });

  test('are sent again by one event, or from the beginning of a day, or all', () => {
    const { replayBody, noReplay } = room.en;
    expect(replayBody(noReplay)).toEqual({});
    expect(replayBody({ since: '', event_id: ' evt_1 ' })).toEqual({ event_id: 'evt_1' });
    const { since } = replayBody({ since: '2026-11-20', event_id: '' });
    expect(new Date(since).getHours()).toBe(0);
  });
});
