import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { email, webUri } from '../../shared/addresses.ts';
import { fault } from '../../shared/faults/fault.ts';
import * as rules from '../../shared/faults/rules.ts';
import { RevokeLicenseRequest, SuspendLicenseRequest } from '../../shared/licenses/license-service.ts';
import { pageQuery } from '../../shared/lists.ts';
import { ProductFileReviewRequest } from '../../shared/product-files/product-file-reviews.ts';
import { fields } from '../../shared/products/fields.ts';
import { ReviewProductRequest } from '../../shared/products/product-review.ts';
import { ReviewReleaseRequest } from '../../shared/publishing/release-reviews.ts';
import { yankReason } from '../../shared/releases/release-request.ts';
import {
  crossFieldRule,
  dateTime,
  line,
  lines,
  lineWithoutBidi,
  nonBlankLine,
  nonBlankLines,
  nonBlankText,
  text,
} from '../../shared/schemas.ts';
import { processorMs } from '../support/processor-time.ts';

const fits = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

describe('field schemas', () => {
  test('lengths are counted in code points', () => {
    expect(fits(text(3), '🎨🎨🎨')).toBe(true);
    expect(fits(text(3), '🎨🎨🎨🎨')).toBe(false);
    expect(fits(text(3), '')).toBe(true);
    expect(fits(nonBlankText(3), '𠮷𠮷𠮷')).toBe(true);
    expect(fits(nonBlankText(3), 'abcd')).toBe(false);
  });

  test.each<[string, z.ZodMiniType, unknown, string]>([
    ['nothing', z.string(), undefined, 'is missing'],
    ['nothing for a word of several', z.enum(['a', 'b']), undefined, 'is missing'],
    ['null', z.optional(z.string()), null, 'must be text'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['text for a number', z.number(), 'secret', 'must be a number'],
    ['text for a boolean', z.boolean(), 'secret', 'must be true or false'],
    ['an object for a list', z.array(z.string()), {}, 'must be a list'],
    ['a list for an object', z.object({}), [], 'must be an object'],
    ['text for a map', z.record(z.string(), z.string()), 'secret', 'must be an object'],
    ['another word', z.enum(['a', 'b']), 'secret', 'must be one of a, b'],
    ['a word beside the only one', z.literal('a'), 'secret', 'must be a'],
    ['no time', z.iso.datetime(), 'secret', 'must be a time such as 2026-01-31T09:00:00.000Z'],
    ['text of another form', z.string().check(z.regex(/^a$/)), 'secret', 'must have another form'],
    ['a long text', text(3), 'secret', 'must be at most 3 characters long'],
    ['text of another length', z.string().check(z.length(3)), 'secret', 'must be exactly 3 characters long'],
    ['an empty text', z.string().check(z.minLength(1)), '', 'must be at least 1 character long'],
    ['a blank text', nonBlankText(3), ' ', 'must not be blank'],
    ['too much', z.int().check(z.maximum(7)), 8, 'must be at most 7'],
    ['too little', z.int().check(z.minimum(1)), 0, 'must be at least 1'],
    ['a long list', z.array(z.int()).check(z.maxLength(1)), [1, 2], 'must be a list of at most 1'],
    ['a number between the steps', z.int().check(z.multipleOf(10)), 5, 'must be a multiple of 10'],
    ['more members', z.strictObject({}), { secret: 1 }, 'must not hold other members'],
    ['neither of two', z.union([z.string(), z.int()]), true, 'must be as the reference shows it'],
    ['no address', email, 'secret', 'must be an e-mail address'],
  ])('of %s is said what is wrong, without its value', (_, schema, value, expected) => {
    expect(z.safeParse(schema, value).error?.issues.map(({ message }) => message)).toEqual([expected]);
  });

  test.each([
    [{ low: 2, high: 1, note: 'a' }, ['high must be at least 2']],
    [{ low: 2, high: 1, note: 5 }, ['note must be text', 'high must be at least 2']],
    [{ low: 'x', high: 1, note: 5 }, ['low must be a number', 'note must be text']],
    [{ low: 1, high: 1, note: 'a' }, []],
    ['secret', [' must be an object']],
  ])('a rule between fields is looked at in %j once those are right', (value, expected) => {
    const fields = z.object({ low: z.number(), high: z.number(), note: z.string() });
    const schema = fields.check(
      crossFieldRule(['low', 'high'], ({ low, high }) => (high < low ? fault(rules.tooSmall, { min: low }) : undefined)),
    );
    expect(z.safeParse(schema, value).error?.issues.map(({ path, message }) => `${path} ${message}`) ?? []).toEqual(expected);
  });

  test('nothing looks at a text that is too long', () => {
    const seen: string[] = [];
    const look = z.refine<string>((value) => seen.push(value) > 0);
    const schemas: [z.ZodMiniType, string, string][] = [
      [text(3).check(look), 'abc', 'abcd'],
      [nonBlankText(3).check(look), '🎨🎨🎨', '🎨🎨🎨🎨'],
      [email.check(look), `a@${'b.'.repeat(124)}b.co`, `a@${'b.'.repeat(124)}bb.co`],
      [webUri.check(look), `https://b.co/${'c'.repeat(2035)}`, `https://b.co/${'c'.repeat(2036)}`],
    ];
    for (const [schema, longest, tooLong] of schemas) {
      expect(fits(schema, longest)).toBe(true);
      expect(fits(schema, tooLong)).toBe(false);
      expect(seen.splice(0)).toEqual([longest]);
    }
  });

  test.each(['', ' ', '\t\n', '\u00a0', '\u3000', '\ufeff'])('a required text may not be blank: %j', (blank) => {
    expect(fits(nonBlankText(10), blank)).toBe(false);
  });

  const fitting = (schema: z.ZodMiniType, values: readonly string[]) => values.filter((value) => fits(schema, value));

  test('an e-mail address is one that any mail server takes', () => {
    const taken = ['a@b.co', 'first.last+tag@mail.example.co.jp', "o'brien@example.com", 'taro@例え.jp', `${'a'.repeat(64)}@example.com`];
    taken.push('a..b@docomo.ne.jp', '.a.@docomo.ne.jp');
    expect(fitting(email, taken)).toEqual(taken);
    const parts = [
      '',
      'a',
      '@',
      'a@',
      '@b.co',
      'a@b',
      'a@b.',
      'a@.co',
      'a@@b.co',
      'a@b@c.co',
      '太郎@例え.jp',
      `${'a'.repeat(65)}@example.com`,
    ];
    const space = ['a b@c.co', 'a@b .co', 'a @b.co', 'a@ b.co', 'a@b.co\r\nBcc: x@y.z', 'a@b.co\0', '\u202ea@b.co'];
    const signs = ['"a"@b.co', '<a@b.co>', 'a@b.co,c@d.co', 'a@b.co;c@d.co', 'a@[127.0.0.1]', 'a\\b@c.co', `a@${'b'.repeat(250)}.co`];
    expect(fitting(email, [...parts, ...space, ...signs])).toEqual([]);
  });

  test.each([
    ['ｓａｔｏ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'sato@example.com'],
    ['\u3000Sato@example.com\n', 'Sato@example.com'],
    [`${' '.repeat(300)}a@b.co`, 'a@b.co'],
    ['sato＠example', undefined],
    ['a@b.co\r\nBcc: x@y.z', undefined],
    [`a@${'\ufdfa'.repeat(100)}.co`, undefined],
    [`a@${'b'.repeat(250)}.co`, undefined],
  ])('an address that is typed as %j is %s', (typed, address) => {
    expect(email.safeParse(typed).data).toBe(address);
  });

  test.each([
    [' https://example.com\n', 'https://example.com'],
    ['ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ／店', 'https://example.com/店'],
    ['example.com', 'https://example.com'],
    ['www.例え.jp/a?b=c', 'https://www.例え.jp/a?b=c'],
    ['example.com?a=b', 'https://example.com?a=b'],
    ['example.com#a', 'https://example.com#a'],
    ['ｅｘａｍｐｌｅ．ｃｏ．ｊｐ', 'https://example.co.jp'],
    ['http://example.com', 'http://example.com'],
    [`example.com/${'a'.repeat(2036)}`, undefined],
  ])('a web address that is typed as %j is %s', (typed, address) => {
    expect(webUri.safeParse(typed).data).toBe(address);
  });

  test.each([
    [line, ['\t', '\n', '\r', '\u0007', '\u007f', '\u0085', '\u202e']],
    [nonBlankLine, ['\t', '\n', '\r', '\u0007', '\u007f', '\u0085', '\u202e']],
    [lines, ['\u0007', '\u007f', '\u0085', '\u202e']],
    [nonBlankLines, ['\u0007', '\u007f', '\u0085', '\u202e']],
    [lineWithoutBidi, ['\t', '\n', '\r', '\u0007', '\u007f', '\u0085']],
  ])('what is shown holds no control characters: %o', (schema, refused) => {
    const signs = ['\t', '\n', '\r', '\u0007', '\u007f', '\u0085', '\u202e', '\u3000', '港', '🎨'];
    expect(signs.filter((sign) => !fits(schema(10), `a${sign}b`))).toEqual(refused);
  });

  test.each(
    Object.entries({
      environment: fields.softwareOperatingEnvironment.sent,
      contact: fields.tokushohoContact.sent,
      address: fields.tokushohoAddress.sent,
      suspension: SuspendLicenseRequest.shape.reason,
      revocation: RevokeLicenseRequest.shape.reason,
      'rejected product': ReviewProductRequest.shape.rejectionReason,
      'rejected file': ProductFileReviewRequest.shape.rejectedReason,
      'file that is clean': ProductFileReviewRequest.shape.manualScanCleanReason,
      'rejected release': ReviewReleaseRequest.shape.rejectionReason,
      'yanked release': ReviewReleaseRequest.shape.yankReason,
      'release that its seller yanks': yankReason,
    }),
  )('what a form writes in several lines is taken so, without other control characters: %s', (_, schema) => {
    expect(['a\r\n\tb', 'a\u0007b', '\u202ea'].filter((typed) => fits(schema, typed))).toEqual(['a\r\n\tb']);
  });

  test('a web address leads to where it seems to lead', () => {
    const taken = [
      'https://example.com',
      'http://127.0.0.1:3000/a?b=c#d',
      'HTTPS://Example.com/',
      'https://例え.jp/店',
      'https://a.co?q=a@b.co',
      'https://a.co#me',
    ];
    expect(fitting(webUri, [...taken, 'https://a.co/@me'])).toEqual([...taken, 'https://a.co/@me']);
    const schemes = [
      '',
      'localhost',
      'example.com:8080',
      'a..b',
      '127.0.0.1',
      'a@b.co',
      '/path',
      '//example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'data:text/html,x',
    ];
    const hosts = ['https:', 'https://', 'https:///x', 'https://exa mple.com', 'https://[x', 'https:\\\\a.co', 'https://a.co\\b'];
    const people = ['https://bank.co@evil.co/', 'https://:pw@evil.co', 'https://@evil.co'];
    const signs = ['\nb', '\u3000b', '\u0085', '"', "'", '`', '\u202eb'].map((sign) => `https://a.co/${sign}`);
    const others = [`https://example.com/${'x'.repeat(2048)}`];
    expect(fitting(webUri, [...schemes, ...hosts, ...people, ...signs, ...others])).toEqual([]);
  });

  test.each([
    ['2026-01-31T09:00:00.000Z', true],
    ['2026-01-31T09:00:00Z', false],
    ['2026-01-31T09:00:00.000+09:00', false],
    ['2026-02-30T09:00:00.000Z', false],
  ])('%s is a time as we write them: %p', (time, expected) => {
    expect(fits(dateTime, time)).toBe(expected);
  });

  test('a page has 1 to 100 items, 50 by default', () => {
    expect(pageQuery.limit.parse(undefined)).toBe(50);
    expect(['1', '9', '99', '100'].map((given) => pageQuery.limit.parse(given))).toEqual([1, 9, 99, 100]);
    expect(fitting(pageQuery.limit, ['0', '101', '-1', '1.0', '1e1', '01', ' 1', '１', '', 'x', '999999999999'])).toEqual([]);
  });

  test('take little time with long input', () => {
    for (const piece of ['a', 'a.', 'a@', '.', '🎨', 'a@b.', ' ']) {
      const long = `a@b${piece.repeat(250_000 / piece.length)} `;
      for (const schema of [email, webUri, nonBlankText(10)]) {
        expect(processorMs(() => expect(fits(schema, long)).toBe(false))).toBeLessThan(500);
      }
    }
  });
});
