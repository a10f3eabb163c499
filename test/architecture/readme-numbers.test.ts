import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { pageQuery } from '../../shared/lists.ts';
import { inHours, inMinutes, readPage } from './readme-page.ts';

/** In which words a page tells a number of the code. */
const told: Readonly<Record<string, [path: string, name: string, phrase: string][]>> = {
  'shared/http/bodies.md': [
    ['shared/http/read-body.ts', 'maxJsonBytes', '| JSON body | at most {KiB},'],
    ['shared/http/read-body.ts', 'maxDepth', 'nested at most {} deep'],
    ['shared/http/read-body.ts', 'maxMultipartBytes', '| multipart body | at most {MiB},'],
    ['shared/http/read-multipart.ts', 'parts', '{} parts,'],
    ['shared/http/read-multipart.ts', 'fieldSize', 'text parts of {KiB}'],
  ],
  'shared/http/callers.md': [
    ['shared/http/rate-limit.ts', 'callersRemembered', 'up to {} callers'],
    ['shared/http/callers/token-authenticate.ts', 'graceSeconds', 'times with {} s of tolerance'],
  ],
  'shared/db/README.md': [
    ['shared/db/keys.ts', 'listShards', 'Lists spread over {} partitions'],
    ['shared/db/keys.ts', 'pendingShards', 'pending jobs over {},'],
    ['shared/db/keys.ts', 'stockShards', 'unsold codes over {},'],
  ],
  'shared/db/reads.md': [
    ['shared/db/sharded-list.ts', 'pageBytes', 'at most {MB} MB of JSON'],
    ['shared/db/sharded-list.ts', 'filterRounds', 'reads on for {} requests'],
  ],
  'shared/db/writes.md': [
    ['shared/db/table.ts', 'contentionAttempts', 'after {} attempts it is `dependency_unavailable`'],
    ['shared/db/dynamo/dynamo.ts', 'maxAttempts', 'A request has 3 s and {} attempts'],
    ['shared/db/optimistic-lock.ts', 'attempts', 'after {} attempts, or as many as the caller says'],
    ['shared/db/optimistic-lock.ts', 'patienceMs', 'or {ms} s after the first'],
  ],
  'shared/jobs/running.md': [
    ['shared/jobs/new-job.ts', 'graceSeconds', 'the job is due {} s later'],
    ['shared/jobs/due-job-repository.ts', 'limitPerShard', 'at most {} due jobs of each shard'],
    ['functions/sweeper/sweep.ts', 'passMs', 'less than {ms} s are left'],
    ['infra/local/lambda/scheduler.ts', 'intervalMs', 'and then every {ms} s'],
  ],
  'shared/queue/README.md': [
    ['shared/queue/job-sender.ts', 'maxAttempts', '{} attempts of 3 s each'],
    ['infra/constructs/job-queue.ts', 'maxReceiveCount', 'after {} times lands in'],
  ],
  'shared/mail/README.md': [
    ['shared/mail/sending/mail-client.ts', 'maxAttempts', '{} attempts of at most 5 s each'],
    ['shared/mail/outbox/mail-count-repository.ts', 'maxMails', 'at most {} mails in any hour of which the cause is free'],
  ],
  'shared/checkout/README.md': [
    ['shared/checkout/checkout-attempt.ts', 'sessionMs', 'The session lives {minutes}'],
    ['shared/checkout/checkout-attempt.ts', 'transitMs', 'the {ms} s that are added'],
  ],
  'shared/orders/README.md': [['shared/checkout/checkout-attempt.ts', 'unpaidKeptMs', 'deleted {days} days after its session ended']],
  'shared/checkout/repeats.md': [
    ['shared/checkout/checkout-attempt.ts', 'attemptMs', 'For {ms} s an attempt is taken'],
    ['shared/checkout/checkout-intent.ts', 'requestKeptMs', 'stands for one order for {hours}'],
  ],
  'shared/payments/README.md': [
    ['functions/payment-webhooks/receive-event.ts', 'keptForDays', 'Events are kept {} days'],
    ['shared/payments/events/webhook-signature.ts', 'toleranceSeconds', 'differ from ours by {} s either way'],
    ['shared/payments/events/webhook-signature.ts', 'maxHeaderLength', 'a header over {} characters'],
  ],
  'shared/payments/stripe.md': [
    ['shared/payments/provider/stripe-client.ts', 'timeoutMs', '{ms} s an attempt'],
    ['shared/payments/provider/stripe-client.ts', 'retries', '{} retry,'],
  ],
  'shared/sellers/changes.md': [['shared/sellers/seller-onboarding.ts', 'leaseMs', 'A link needs a lease of {ms} s']],
  'shared/products/README.md': [
    ['shared/products/product-service.ts', 'maxProducts', 'at most {} products ('],
    ['shared/products/product-service.ts', 'maxUnapproved', 'at most {} until an admin'],
    ['shared/products/product-service.ts', 'attempts', 'up to {} attempts'],
    ['shared/products/slug.ts', 'maxSlugs', 'at most {} slugs'],
    ['shared/products/pending-revision.ts', 'maxBytes', 'beyond {KiB} an edit'],
  ],
  'shared/products/names.md': [['shared/products/slug.ts', 'maxLength', 'at most {} code points']],
  'shared/licenses/keys.md': [
    ['shared/text/license-key.ts', 'randomSymbols', '{} random symbols'],
    ['shared/text/license-key.ts', 'modulus', 'divisible by {plain}'],
  ],
  'shared/licenses/rekeying/README.md': [['shared/licenses/rekeying/rekeying.ts', 'gracePeriodMs', 'grace period, {ms} s']],
  'shared/product-files/README.md': [
    ['shared/product-files/own-file.ts', 'uploadSeconds', '| upload URL | {s/60} minutes |'],
    ['shared/product-files/file-downloads.ts', 'downloadSeconds', '| download URL | {s/60} minutes |'],
    ['shared/product-files/own-file.ts', 'maxLiveFiles', '| live files of a product | {},'],
  ],
  'shared/product-files/parts/README.md': [
    ['shared/product-files/parts/upload-parts.ts', 'partUploadSeconds', '| upload in parts | {s/3600} hours;'],
    ['shared/product-files/parts/upload-parts.ts', 'maxSignedParts', 'at most {} signed by one request'],
  ],
  'shared/product-files/states.md': [['shared/product-files/file-states.ts', 'maxWaitingScans', '`waitingScans`, at most {}']],
  'shared/product-files/bytes.md': [['shared/product-files/storage/file-name.ts', 'maxLength', 'at most {} characters with its extension']],
  'shared/code-batches/imports.md': [
    ['shared/code-batches/code-batch.ts', 'maxRows', 'over {}'],
    ['shared/code-batches/code-batch.ts', 'maxCommas', 'over {} separators'],
    ['shared/code-batches/code-batch.ts', 'maxListedErrors', 'the first {} listed'],
    ['shared/code-batches/code-batch.ts', 'minSymbols', 'at least {} of which remain'],
    ['shared/code-batches/code-batch.ts', 'maxSymbols', '8 to {} printable'],
    ['shared/code-batches/code-upload-repository.ts', 'codesPerPiece', 'in pieces of {}'],
    ['shared/code-batches/code-upload-repository.ts', 'keptDays', 'expire after {} days'],
    ['functions/code-importer/import-codes.ts', 'codesPerTransaction', '{} codes a transaction'],
  ],
  'shared/crypto/README.md': [
    ['shared/crypto/sealed-text.ts', 'ivBytes', 'a random IV of {} bytes'],
    ['shared/crypto/sealed-text.ts', 'tagBytes', 'a tag of {},'],
  ],
  'functions/file-scanner/README.md': [
    ['functions/file-scanner/scan-file.ts', 'maxAttempts', '({} attempts)'],
    ['functions/file-scanner/await-scan.ts', 'waitSeconds', 'the upload scan has {s/60} minutes'],
  ],
  'infra/README.md': [['infra/stacks/api-stack.ts', 'apiFunctionSeconds', 'API functions end after {} s']],
};

/** How phrases write the value. */
const forms: Readonly<Record<string, (value: number) => string>> = {
  '': (value) => value.toLocaleString('en'),
  KiB: (bytes) => `${bytes / 1024} KiB`,
  MB: (bytes) => `${bytes / 1024 ** 2}`,
  MiB: (bytes) => `${bytes / 1024 ** 2} MiB`,
  days: (milliseconds) => `${milliseconds / (24 * 3600_000)}`,
  hours: inHours,
  minutes: inMinutes,
  plain: String,
  ms: (milliseconds) => `${milliseconds / 1000}`,
  's/60': (seconds) => `${seconds / 60}`,
  's/3600': (seconds) => `${seconds / 3600}`,
};

describe('numbers in READMEs are those of the code', () => {
  /** The value of a constant or property that the file writes as a number or a product of numbers. */
  function numberIn(path: string, name: string): number {
    const found = new RegExp(`\\b${name}(?:: number)?(?: =|:) ([\\d_.]+(?: \\*\\*? [\\d_.]+)*)`).exec(readPage(path))?.[1];
    if (found === undefined) throw new Error(`${path} has no number named ${name}.`);
    return found.split(/ \* /).reduce((product, factor) => {
      const [base = 1, power = 1] = factor.replaceAll('_', '').split(' ** ').map(Number);
      return product * base ** power;
    }, 1);
  }

  test.each(Object.entries(told))('%s', (page, numbers) => {
    const text = readPage(page).replace(/\s+/g, ' ');
    for (const [path, name, phrase] of numbers) {
      const value = numberIn(path, name);
      expect(text).toContain(phrase.replace(/\{([\w/]*)\}/, (_, form: string) => forms[form]?.(value) ?? ''));
    }
  });

  test('how many items a page has', () => {
    const [, most, usual] = /`limit` is 1–(\d+) \(default (\d+)\)/.exec(readPage('shared/http/README.md')) ?? [];
    const read = (limit: string | undefined) => z.safeParse(pageQuery.limit, limit).data;
    expect([read('0'), read('1'), read(most), read(String(Number(most) + 1)), read(undefined)]).toEqual([
      undefined,
      1,
      Number(most),
      undefined,
      Number(usual),
    ]);
  });

  test('ids of the provider', () => {
    const form = /const form = \/\^(.*)\$\/;/.exec(readPage('shared/payments/provider/provider-ids.ts'))?.[1];
    expect(readPage('shared/payments/README.md')).toContain(`\`${form}\``);
  });
});
