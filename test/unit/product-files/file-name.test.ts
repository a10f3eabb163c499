import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { attachmentDisposition, sanitizeFileName } from '../../../shared/product-files/storage/file-name.ts';

describe('a stored file name', () => {
  test.each([
    ['setup.exe', 'setup.exe'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\app.msi', 'app.msi'],
    ['folder/', 'file'],
    ['..', 'file'],
    ['   ', 'file'],
    ['.bashrc', '.bashrc'],
    ['インストーラー 第2版.dmg', 'インストーラー 第2版.dmg'],
    ['cafe\u0301.zip', 'caf\u00e9.zip'],
    ['a<b>c:d"e|f?g*.zip', 'a_b_c_d_e_f_g_.zip'],
    ['line\r\nSet-Cookie: x.zip', 'line__Set-Cookie_ x.zip'],
    ['invoice\u202efdp.exe', 'invoice_fdp.exe'],
    ['zero\u200bwidth\ufeff.zip', 'zero_width_.zip'],
    [' trailing. . .', 'trailing'],
    ['NUL.txt', '_NUL.txt'],
    ['con', '_con'],
    ['con .txt', '_con .txt'],
    ['COM1.txt', '_COM1.txt'],
    ['lpt²', '_lpt²'],
    ['CONIN$', '_CONIN$'],
    ['console.txt', 'console.txt'],
    ['beacon.txt', 'beacon.txt'],
  ])('of %j is %j', (given, stored) => {
    expect(sanitizeFileName(given)).toBe(stored);
  });

  test('is at most 150 characters, its extension kept', () => {
    const name = sanitizeFileName(`${'長'.repeat(400)}.tar.gz`);
    expect([...name]).toHaveLength(150);
    expect(name).toMatch(/^長+\.gz$/);
    expect([...sanitizeFileName('x'.repeat(300))]).toHaveLength(150);
    expect([...sanitizeFileName(`a.${'x'.repeat(300)}`)]).toHaveLength(150);
    expect(sanitizeFileName(`${'x'.repeat(300)}.${'y'.repeat(19)}`)).toMatch(/\.y+$/);
    expect(sanitizeFileName(`${'x'.repeat(145)} .zip`)).toBe(`${'x'.repeat(145)} .zip`);
  });

  test('is safe whatever is given, and sanitizing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = sanitizeFileName(given);
        expect(name).not.toMatch(/[\p{Cc}/\\<>:"|?*\u202a-\u202e\u2066-\u2069]/u);
        expect([...name].length).toBeLessThanOrEqual(150);
        expect(name.trim()).not.toBe('');
        expect(sanitizeFileName(name)).toBe(name);
      }),
    );
  });
});

describe('the disposition of a download', () => {
  test('has the name in UTF-8 and a fallback in ASCII', () => {
    expect(attachmentDisposition('アプリ "1".zip')).toBe(
      `attachment; filename="___ _1_.zip"; filename*=UTF-8''%E3%82%A2%E3%83%97%E3%83%AA%20%221%22.zip`,
    );
    expect(attachmentDisposition("it's 100% (ok)*.zip")).toBe(
      `attachment; filename="it's 100_ (ok)*.zip"; filename*=UTF-8''it%27s%20100%25%20%28ok%29%2A.zip`,
    );
  });

  test('is a header value that can be parsed back, for every stored name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
        const name = sanitizeFileName(given);
        const value = attachmentDisposition(name);
        expect(value).toMatch(/^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/);
        expect(decodeURIComponent(value.split("UTF-8''")[1] ?? '')).toBe(name);
      }),
    );
  });
});
