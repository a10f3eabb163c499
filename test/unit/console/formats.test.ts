import { beforeAll, describe, expect, test } from '@jest/globals';
import { inLanguage } from '../../support/in-language.ts';

const formats: Record<string, any> = {};
beforeAll(async () => {
  for (const language of ['en', 'ja'] as const)
    formats[language] = (await inLanguage(language, "export * from './words/formats.ts'")).exports;
});

const now = Date.parse('2026-02-10T09:00:00.000Z');

describe('how the console writes', () => {
  test.each([
    ['2026-02-10T12:30:00.000Z', 'due in 3 hours', '期限まで3時間'],
    ['2026-02-08T08:00:00.000Z', '2 days overdue', '期限を2日超過'],
    ['2026-02-10T09:00:10.000Z', 'due in 1 minute', '期限まで1分'],
    ['2026-02-10T08:59:50.000Z', '1 minute overdue', '期限を1分超過'],
  ])('that %s is due', (at, en, ja) => {
    expect(formats['en'].formatDue(at, now).text).toBe(en);
    expect(formats['ja'].formatDue(at, now)).toEqual({ text: ja, overdue: Date.parse(at) < now });
  });

  test.each([
    ['2026-02-10T06:00:00.000Z', '3 hours ago', '3 時間前'],
    ['2026-02-12T09:00:00.000Z', 'in 2 days', '明後日'],
    ['2026-02-10T09:00:30.000Z', 'this minute', '1 分以内'],
  ])('how far %s is', (at, en, ja) => {
    expect(formats['en'].formatAgo(at, now)).toBe(en);
    expect(formats['ja'].formatAgo(at, now)).toBe(ja);
  });

  test('amounts, sizes and counts', () => {
    const { formatPrice, formatBytes, formatCount, counted } = formats['en'];
    expect(formatPrice(4800, 'JPY')).toBe('¥4,800');
    expect(formatPrice(4900, 'USD')).toBe('$49.00 USD');
    expect(formatBytes(12_300_000)).toBe('12.3 MB');
    expect(formatCount(1234567)).toBe('1,234,567');
    expect([0, 1, 2].map((number) => counted(number, 'file', 'files'))).toEqual(['0 files', '1 file', '2 files']);
  });

  test('a moment in the reader’s zone, and with its name when asked for whole', () => {
    const { formatTime, formatWholeTime, formatDay } = formats['en'];
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const at = '2026-02-10T09:00:00.000Z';
    expect(formatTime(at)).toBe(new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at)));
    expect(formatWholeTime(at)).toContain('2026');
    expect(formatWholeTime(at)).toMatch(/Time|GMT|UTC/);
    expect(formatDay(at)).toContain('2026');
  });

  test('what is no moment reads as it came', () => {
    for (const language of ['en', 'ja']) {
      const { formatTime, formatWholeTime, formatDay, formatAgo, formatDue } = formats[language];
      expect([formatTime, formatWholeTime, formatDay].map((format) => format('soon'))).toEqual(['soon', 'soon', 'soon']);
      expect([formatAgo('soon', now), formatDue('soon', now)]).toEqual(['soon', { text: 'soon', overdue: false }]);
    }
  });
});
