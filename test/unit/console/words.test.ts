import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { type NotDone, notDone } from '../../../functions/console/browser/words/not-done.ts';
import { auditActions, workerActors } from '../../../shared/audit/audit.ts';
import { codeFault } from '../../../shared/code-batches/code-batch.ts';
import { jobIdFields } from '../../../shared/jobs/new-job.ts';
import { jobListStates } from '../../../shared/jobs/stuck-jobs.ts';
import { inLanguage } from '../../support/in-language.ts';
import { readDocument } from '../../support/interface/read-document.ts';

const document: any = readDocument();

/** The values of a component of the document, or of the only list of that name in it. */
function valuesOf(component: string, name?: string): string[] {
  const schema = document.components.schemas[component];
  if (name === undefined) return schema.enum;
  const found = (node: any): string[][] =>
    typeof node !== 'object' || node === null
      ? []
      : [...(node[name]?.enum ? [node[name].enum] : []), ...Object.values(node).flatMap(found)];
  const [values = [], ...others] = found(schema);
  if (values.length === 0 || others.length > 0) throw new Error(`${component} has no one list of ${name}`);
  return values;
}

const roles = ['seller', 'admin'] as const;
const languages = ['en', 'ja'] as const;
type Role = (typeof roles)[number];

const entry = (role: Role) => `
  import { setRoleWords } from './words/words.ts';
  import { ${role}States } from './words/${role}-states.ts';
  import { ${role}Failures } from './words/${role}-failures.ts';
  setRoleWords({ states: ${role}States, failures: ${role}Failures });
  export { wordOf, failureWords, historyWord } from './words/words.ts';`;

/** What a history tells beside the actions of audit records. */
const history = readFileSync(new URL('../../../shared/order-history/history.ts', import.meta.url), 'utf8');
const historyActions = [...history.matchAll(/action: '([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action);
/** Of orders and licenses, what no history tells, or not so. */
const untold = ['order.search', 'license.issue', 'license.issue_test_key', 'license.release_activation'];
/** Names that are the same in words. */
const named = ['x64', 'x86', 'deb', 'rpm', 'app'];
/** What happens in the browser alone. */
const signInCodes = ['sign_in_denied', 'sign_in_refused', 'sign_in_unfinished', 'issuer_unreachable'];
const consoleCodes = ['offline', 'browser_unfit', 'config_unavailable', ...signInCodes];
const unfitFiles = ['file_changed', 'file_empty', 'file_name_unfit', 'picture_unknown', 'picture_too_heavy'];
const uploadCodes = [...unfitFiles, 'hash_failed', 'other_parts', 'upload_refused', 'upload_failed'];

const common: Record<string, readonly string[]> = {
  seller: valuesOf('Seller', 'internal_review_status'),
  onboarding: valuesOf('Seller', 'payment_onboarding_status'),
  product: [...valuesOf('Product', 'status'), ...valuesOf('Product', 'review_status'), ...valuesOf('PendingRevision', 'status')],
  sale_blocker: valuesOf('Product', 'items'),
  file: valuesOf('ProductFileStatus'),
  hash: valuesOf('ProductFileHashStatus'),
  scan: valuesOf('ProductFileScanStatus'),
  visibility: valuesOf('ProductFileVisibility'),
  release: valuesOf('ReleaseStatus'),
  channel: valuesOf('Channel'),
  platform: valuesOf('Platform'),
  arch: valuesOf('Arch'),
  artifact: valuesOf('ArtifactKind'),
  feed: valuesOf('Feed'),
  bundle: valuesOf('Bundle'),
  order: valuesOf('OrderStatus'),
  payment: valuesOf('PaymentStatus'),
  license: valuesOf('LicenseStatus'),
  mail: valuesOf('MailStatus', 'state'),
  bounce: valuesOf('MailStatus', 'bounce'),
  email_request: valuesOf('EmailRequestStatus', 'decision'),
  actor: valuesOf('HistoryItem', 'actor'),
  action: [...historyActions, ...auditActions.filter((action) => /^(order|license)\./.test(action) && !untold.includes(action))],
};
const ofRole: Record<Role, Record<string, readonly string[]>> = {
  seller: {
    task: valuesOf('Overview', 'id'),
    task_state: valuesOf('Overview', 'state'),
    attention: valuesOf('Overview', 'kind'),
    batch: valuesOf('CodeBatch', 'status'),
    scope: valuesOf('ApiToken', 'items'),
    event: valuesOf('WebhookEndpoint', 'items'),
    delivery: valuesOf('EventDelivery', 'status'),
    disabled: valuesOf('WebhookEndpoint', 'disabled_reason'),
  },
  admin: {
    version: valuesOf('PreviewVersion'),
    issuance: valuesOf('LicenseIssuanceMode'),
    purpose: valuesOf('ProductFilePurpose'),
    trust: valuesOf('ProductFileScanTrustSource'),
    storage: valuesOf('ProductFile', 'storage_provider'),
    dispute: valuesOf('OrderDetail', 'state'),
    queue: valuesOf('QueueItem', 'kind'),
    blocker: valuesOf('QueueItem', 'blocked_by'),
    decision: ['ReviewSellerRequest', 'ReviewProductRequest', 'ProductFileReviewRequest', 'ReviewReleaseRequest'].flatMap((request) =>
      valuesOf(request, 'decision'),
    ),
    job_state: jobListStates,
    job: Object.keys(jobIdFields),
    worker: [...workerActors, 'operator'],
    action: auditActions,
  },
};

/** Error codes of the endpoints that a role calls. */
function codesOf(document: any, role: Role): string[] {
  const enumsIn = (node: any): string[] =>
    typeof node !== 'object' || node === null ? [] : [...(node.properties?.code?.enum ?? []), ...Object.values(node).flatMap(enumsIn)];
  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.values<any>(methods).filter(
      ({ security }) => security?.some((way: any) => 'bearer' in way) && path.startsWith('/v1/admin/') === (role === 'admin'),
    ),
  );
  const replies = operations.flatMap(({ responses }) => Object.entries(responses).filter(([status]) => Number(status) >= 400));
  return [...new Set(replies.flatMap(([, reply]) => enumsIn(reply)))];
}

const scripts = await Promise.all(
  roles.flatMap((role) => languages.map(async (language) => ({ role, language, ...(await inLanguage(language, entry(role))) }))),
);

describe.each(scripts)('the script of a $role in $language', ({ role, language, script, exports }) => {
  const { wordOf, failureWords, historyWord } = exports;

  test('has a word for every value of the API', () => {
    const asked = [...Object.entries(common), ...Object.entries(ofRole[role])];
    const silent = asked.flatMap(([kind, values]) =>
      values.filter((value) => wordOf(kind, value) === value && !named.includes(value)).map((value) => `${kind} ${value}`),
    );
    expect(silent).toEqual([]);
  });

  test('says what did not happen for every code that its endpoints may send', () => {
    const unknown = failureWords('of_a_later_version');
    const codes = [...codesOf(document, role), ...consoleCodes, ...(role === 'seller' ? uploadCodes : [])];
    expect(codes.length).toBeGreaterThan(25);
    expect(codes.filter((code) => failureWords(code).title === unknown.title)).toEqual([]);
  });

  test('reads calmly what a later version says', () => {
    expect(wordOf('product', 'of_a_later_version')).toBe('of_a_later_version');
    expect(wordOf('of_a_later_version', 'draft')).toBe('draft');
    for (const value of ['constructor', '__proto__', 'toString']) expect(wordOf('product', value)).toBe(value);
    for (const code of ['of_a_later_version', 'constructor', '__proto__']) {
      expect(failureWords(code)).toEqual({ title: expect.any(String), next: expect.any(String) });
    }
  });

  test('tells numbers and states of a history', () => {
    const inMoney = (amount: number) => `¥${amount}`;
    for (const [action, value, word] of [
      ['license.change_limit', 1200, '1,200'],
      ['payment.refunded', 1200, '¥1200'],
      ['order.update_status', 1200, '¥1200'],
      ['license.suspend', 'suspended', wordOf('license', 'suspended')],
      ['order.update_status', 'disputed', wordOf('order', 'disputed')],
      ['order.update_status', 'lost', wordOf('payment', 'lost')],
      ['mail.bounced', 'permanent', wordOf('bounce', 'permanent')],
      ['of.later', 'draft', 'draft'],
    ]) {
      expect(historyWord(action, value, inMoney)).toBe(word);
    }
  });

  test('weighs what it may, and has no words of the other role or language', () => {
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(6 * 1024);
    expect(script.includes('serve-waiting-orders')).toBe(role === 'admin');
    expect(script.includes('releases:publish')).toBe(role === 'seller');
    expect(/\p{Script=Hiragana}/u.test(script)).toBe(language === 'ja');
  });
});

const browser = 'functions/console/browser';
/** The texts of each room that has some, with the names of those that say what did not happen. */
const rooms = globSync(`${browser}/**/*-texts.ts`)
  .map((file) => ({
    file,
    names: [...readFileSync(file, 'utf8').matchAll(/(\w+): (?:\([^)]*\) => )?notDone\(/g)].map(([, name = '']) => name),
  }))
  .filter(({ names }) => names.length > 0);
const exported = rooms.map(({ file }, at) => `export { texts as texts${at} } from '.${file.slice(browser.length)}';`).join('\n');
const others = "export * from './words/formats.ts'; export { rowReason } from './words/faults.ts';";
const [en, ja] = await Promise.all(languages.map(async (language) => (await inLanguage(language, others + exported)).exports));

test('why a row has no code is told in English as it came, and in Japanese, whatever the reason', () => {
  const codes = ['', 'x', 'é'.repeat(12), '=HYPERLINK("x")', '-'.repeat(20), ' '.repeat(20), 'a'.repeat(5000)];
  const reasons = codes.map((code) => codeFault(code) ?? 'none');
  const [inEnglish, inJapanese] = [en.rowReason, ja.rowReason];
  expect(reasons).not.toContain('none');
  expect([...reasons, 'Something new.'].map(inEnglish)).toEqual([...reasons, 'Something new.']);
  expect([...reasons, 'Something new.'].filter((reason) => inJapanese(reason) === reason)).toEqual(['Something new.']);
  expect(inEnglish(codeFault('9.78012E+15') ?? '')).toMatch(/^A spreadsheet turned the code into a number, a date or an error\./);
  expect(inJapanese(codeFault('9.78012E+15') ?? '')).toMatch(/^表計算ソフトで/);
  expect(inJapanese('The code is not 8 to 200 characters long.')).toBe('コードは8～200文字にしてください。');
});

const textsIn = (exports: any): [string, unknown][] =>
  rooms.flatMap(({ file, names }, at) =>
    names.map((name): [string, unknown] => {
      const text = exports[`texts${at}`][name];
      return [`${file}: ${name}`, typeof text === 'function' ? text('it') : text];
    }),
  );

describe('what did not happen', () => {
  test('is said in English, and in Japanese, by every screen that does something', () => {
    expect(textsIn(en).length).toBeGreaterThan(40);
    for (const [place, text] of textsIn(en))
      expect([place, text]).toEqual([place, expect.stringMatching(/^[A-Z\w].* (?:was|were|could) not .*\.$/)]);
    for (const [place, text] of textsIn(ja))
      expect([place, text]).toEqual([place, expect.stringMatching(/^.*[\u3040-\u30ff].*ませんでした。$/)]);
  });

  test('is never what a button says', () => {
    const said: NotDone[] = [notDone('The release was not handed in.'), notDone('リリースは提出されませんでした。')];
    // @ts-expect-error The label of a button.
    said.push('Hand in');
    // @ts-expect-error The same in Japanese.
    said.push('審査に提出');
    // @ts-expect-error Any text.
    said.push(String(said[0]));
    // @ts-expect-error No sentence.
    said.push('was not handed in');
    expect(said).toHaveLength(6);
  });
});

const now = Date.parse('2026-02-10T09:00:00.000Z');

describe('how the console writes', () => {
  test.each([
    ['2026-02-10T12:30:00.000Z', 'due in 3 hours', '期限まで3時間'],
    ['2026-02-08T08:00:00.000Z', '2 days overdue', '期限を2日超過'],
    ['2026-02-10T09:00:10.000Z', 'due in 1 minute', '期限まで1分'],
    ['2026-02-10T08:59:50.000Z', '1 minute overdue', '期限を1分超過'],
  ])('that %s is due', (at, english, japanese) => {
    expect(en.formatDue(at, now).text).toBe(english);
    expect(ja.formatDue(at, now)).toEqual({ text: japanese, overdue: Date.parse(at) < now });
  });

  test.each([
    ['2026-02-10T06:00:00.000Z', '3 hours ago', '3 時間前'],
    ['2026-02-12T09:00:00.000Z', 'in 2 days', '明後日'],
    ['2026-02-10T09:00:30.000Z', 'this minute', '1 分以内'],
  ])('how far %s is', (at, english, japanese) => {
    expect(en.formatAgo(at, now)).toBe(english);
    expect(ja.formatAgo(at, now)).toBe(japanese);
  });

  test('amounts, sizes and counts', () => {
    const { formatPrice, formatBytes, formatCount, counted } = en;
    expect(formatPrice(4800, 'JPY')).toBe('¥4,800');
    expect(formatPrice(4900, 'USD')).toBe('$49.00 USD');
    expect(formatBytes(12_300_000)).toBe('12.3 MB');
    expect(formatCount(1234567)).toBe('1,234,567');
    expect([0, 1, 2].map((number) => counted(number, 'file', 'files'))).toEqual(['0 files', '1 file', '2 files']);
  });

  test('a moment in the reader’s zone, and with its name when asked for whole', () => {
    const { formatTime, formatWholeTime, formatDay } = en;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const at = '2026-02-10T09:00:00.000Z';
    expect(formatTime(at)).toBe(new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at)));
    expect(formatWholeTime(at)).toContain('2026');
    expect(formatWholeTime(at)).toMatch(/Time|GMT|UTC/);
    expect(formatDay(at)).toContain('2026');
  });

  test('what is no moment reads as it came', () => {
    for (const { formatTime, formatWholeTime, formatDay, formatAgo, formatDue } of [en, ja]) {
      expect([formatTime, formatWholeTime, formatDay].map((format) => format('soon'))).toEqual(['soon', 'soon', 'soon']);
      expect([formatAgo('soon', now), formatDue('soon', now)]).toEqual(['soon', { text: 'soon', overdue: false }]);
    }
  });
});
