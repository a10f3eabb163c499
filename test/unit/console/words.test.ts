import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { auditActions, workerActors } from '../../../shared/audit/audit.ts';
import { codeFault } from '../../../shared/code-batches/code-batch.ts';
import { jobIdFields } from '../../../shared/jobs/new-job.ts';
import { jobListStates } from '../../../shared/jobs/stuck-jobs.ts';
import { inLanguage } from '../../support/in-language.ts';

const document: any = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));

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

const scripts = new Map<string, { exports: any; script: string }>();
const scriptOf = (role: Role, language: string) => scripts.get(`${role} ${language}`)!;

beforeAll(async () => {
  for (const role of roles) for (const language of languages) scripts.set(`${role} ${language}`, await inLanguage(language, entry(role)));
});

const everywhere = roles.flatMap((role) => languages.map((language) => [role, language] as const));

describe.each(everywhere)('the script of a %s in %s', (role, language) => {
  const { wordOf, failureWords, historyWord } = new Proxy({} as any, {
    get:
      (_, name: string) =>
      (...args: unknown[]) =>
        scriptOf(role, language).exports[name](...args),
  });

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
    const { script } = scriptOf(role, language);
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(6 * 1024);
    expect(script.includes('serve-waiting-orders')).toBe(role === 'admin');
    expect(script.includes('releases:publish')).toBe(role === 'seller');
    expect(/\p{Script=Hiragana}/u.test(script)).toBe(language === 'ja');
  });
});

test('why a row has no code is told in English as it came, and in Japanese, whatever the reason', async () => {
  const codes = ['', 'x', 'é'.repeat(12), '=HYPERLINK("x")', '-'.repeat(20), ' '.repeat(20), 'a'.repeat(5000)];
  const reasons = codes.map((code) => codeFault(code) ?? 'none');
  const rowReasonIn = async (language: 'ja' | 'en') =>
    (await inLanguage(language, `export { rowReason } from './words/faults.ts';`)).exports.rowReason;
  const [inEnglish, inJapanese] = [await rowReasonIn('en'), await rowReasonIn('ja')];
  expect(reasons).not.toContain('none');
  expect([...reasons, 'Something new.'].map(inEnglish)).toEqual([...reasons, 'Something new.']);
  expect([...reasons, 'Something new.'].filter((reason) => inJapanese(reason) === reason)).toEqual(['Something new.']);
  expect(inJapanese('The code is not 8 to 200 characters long.')).toBe('コードは8～200文字にしてください。');
});
