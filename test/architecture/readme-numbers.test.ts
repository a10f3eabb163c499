import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { pageQuery } from '../../shared/lists.ts';
import { inHours, inMinutes, readPage } from './readme-page.ts';

describe('numbers in READMEs are those of the code', () => {
  const kib = (bytes: number) => `${bytes / 1024} KiB`;
  const mib = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
  const grouped = (count: number) => count.toLocaleString('en');

  /** The value of a constant or property that the file writes as a number or a product of numbers. */
  function numberIn(path: string, name: string): number {
    const found = new RegExp(`\\b${name}(?:: number)?(?: =|:) ([\\d_.]+(?: \\*\\*? [\\d_.]+)*)`).exec(readPage(path))?.[1];
    if (found === undefined) throw new Error(`${path} has no number named ${name}.`);
    return found.split(/ \* /).reduce((product, factor) => {
      const [base = 1, power = 1] = factor.replaceAll('_', '').split(' ** ').map(Number);
      return product * base ** power;
    }, 1);
  }

  test.each<[page: string, path: string, name: string, phrase: (value: number) => string]>([
    ['shared/http/bodies.md', 'shared/http/read-body.ts', 'maxJsonBytes', (bytes) => `| JSON body | at most ${kib(bytes)},`],
    ['shared/http/bodies.md', 'shared/http/read-body.ts', 'maxDepth', (depth) => `nested at most ${depth} deep`],
    ['shared/http/bodies.md', 'shared/http/read-body.ts', 'maxMultipartBytes', (bytes) => `| multipart body | at most ${mib(bytes)},`],
    ['shared/http/bodies.md', 'shared/http/read-multipart.ts', 'parts', (parts) => `${parts} parts,`],
    ['shared/http/bodies.md', 'shared/http/read-multipart.ts', 'fieldSize', (bytes) => `text parts of ${kib(bytes)}`],
    ['shared/http/callers.md', 'shared/http/rate-limit.ts', 'callersRemembered', (callers) => `up to ${grouped(callers)} callers`],
    [
      'shared/http/callers.md',
      'shared/http/callers/token-authenticate.ts',
      'graceSeconds',
      (seconds) => `times with ${seconds} s of tolerance`,
    ],
    ['shared/db', 'shared/db/keys.ts', 'listShards', (shards) => `Lists spread over ${shards} partitions`],
    ['shared/db', 'shared/db/keys.ts', 'pendingShards', (shards) => `pending jobs over ${shards},`],
    ['shared/db', 'shared/db/keys.ts', 'stockShards', (shards) => `unsold codes over ${shards},`],
    ['shared/db/reads.md', 'shared/db/sharded-list.ts', 'pageBytes', (bytes) => `at most ${bytes / 1024 ** 2} MB of JSON`],
    ['shared/db/reads.md', 'shared/db/sharded-list.ts', 'filterRounds', (rounds) => `reads on for ${rounds} requests`],
    [
      'shared/db/writes.md',
      'shared/db/table.ts',
      'contentionAttempts',
      (attempts) => `after ${attempts} attempts it is \`dependency_unavailable\``,
    ],
    ['shared/db/writes.md', 'shared/db/dynamo/dynamo.ts', 'maxAttempts', (attempts) => `A request has 3 s and ${attempts} attempts`],
    [
      'shared/db/writes.md',
      'shared/db/optimistic-lock.ts',
      'attempts',
      (attempts) => `after ${attempts} attempts, or as many as the caller says`,
    ],
    ['shared/db/writes.md', 'shared/db/optimistic-lock.ts', 'patienceMs', (milliseconds) => `or ${milliseconds / 1000} s after the first`],
    ['shared/jobs/running.md', 'shared/jobs/new-job.ts', 'graceSeconds', (seconds) => `the job is due ${seconds} s later`],
    ['shared/jobs/running.md', 'shared/jobs/due-job-repository.ts', 'limitPerShard', (jobs) => `at most ${jobs} due jobs of each shard`],
    ['shared/jobs/running.md', 'functions/sweeper/sweep.ts', 'passMs', (milliseconds) => `less than ${milliseconds / 1000} s are left`],
    [
      'shared/jobs/running.md',
      'infra/local/lambda/scheduler.ts',
      'intervalMs',
      (milliseconds) => `and then every ${milliseconds / 1000} s`,
    ],
    ['shared/queue', 'shared/queue/job-sender.ts', 'maxAttempts', (attempts) => `${attempts} attempts of 3 s each`],
    ['shared/queue', 'infra/constructs/job-queue.ts', 'maxReceiveCount', (times) => `after ${times} times lands in`],
    ['shared/mail', 'shared/mail/sending/mail-client.ts', 'maxAttempts', (attempts) => `${attempts} attempts of at most 5 s each`],
    [
      'shared/checkout/README.md',
      'shared/checkout/checkout-attempt.ts',
      'sessionMs',
      (milliseconds) => `The session lives ${inMinutes(milliseconds)}`,
    ],
    [
      'shared/checkout/README.md',
      'shared/checkout/checkout-attempt.ts',
      'transitMs',
      (milliseconds) => `the ${milliseconds / 1000} s that are added`,
    ],
    [
      'shared/orders',
      'shared/checkout/checkout-attempt.ts',
      'unpaidKeptMs',
      (kept) => `deleted ${kept / (24 * 3600_000)} days after its session ended`,
    ],
    [
      'shared/checkout/repeats.md',
      'shared/checkout/checkout-attempt.ts',
      'attemptMs',
      (milliseconds) => `For ${milliseconds / 1000} s an attempt is taken`,
    ],
    [
      'shared/checkout/repeats.md',
      'shared/checkout/checkout-intent.ts',
      'requestKeptMs',
      (kept) => `stands for one order for ${inHours(kept)}`,
    ],
    ['shared/payments', 'functions/payment-webhooks/receive-event.ts', 'keptForDays', (days) => `Events are kept ${days} days`],
    [
      'shared/payments',
      'shared/payments/events/webhook-signature.ts',
      'toleranceSeconds',
      (seconds) => `differ from ours by ${seconds} s either way`,
    ],
    [
      'shared/payments',
      'shared/payments/events/webhook-signature.ts',
      'maxHeaderLength',
      (length) => `a header over ${grouped(length)} characters`,
    ],
    [
      'shared/payments/stripe.md',
      'shared/payments/provider/stripe-client.ts',
      'timeoutMs',
      (milliseconds) => `${milliseconds / 1000} s an attempt`,
    ],
    ['shared/payments/stripe.md', 'shared/payments/provider/stripe-client.ts', 'retries', (retries) => `${retries} retry,`],
    [
      'shared/sellers/changes.md',
      'shared/sellers/seller-onboarding.ts',
      'leaseMs',
      (milliseconds) => `A link needs a lease of ${milliseconds / 1000} s`,
    ],
    ['shared/products', 'shared/products/product-service.ts', 'maxProducts', (products) => `at most ${products} products (`],
    ['shared/products', 'shared/products/product-service.ts', 'maxUnapproved', (products) => `at most ${products} until an admin`],
    ['shared/products', 'shared/products/product-service.ts', 'attempts', (attempts) => `up to ${attempts} attempts`],
    ['shared/products', 'shared/products/slug.ts', 'maxSlugs', (slugs) => `at most ${slugs} slugs`],
    ['shared/products', 'shared/products/pending-revision.ts', 'maxBytes', (bytes) => `beyond ${kib(bytes)} an edit`],
    ['shared/products/names.md', 'shared/products/slug.ts', 'maxLength', (length) => `at most ${length} code points`],
    ['shared/licenses/keys.md', 'shared/text/license-key.ts', 'randomSymbols', (symbols) => `${symbols} random symbols`],
    ['shared/licenses/keys.md', 'shared/text/license-key.ts', 'modulus', (modulus) => `divisible by ${modulus}`],
    [
      'shared/licenses/rekeying',
      'shared/licenses/rekeying/rekeying.ts',
      'gracePeriodMs',
      (milliseconds) => `grace period, ${milliseconds / 1000} s`,
    ],
    ['shared/product-files', 'shared/product-files/own-file.ts', 'uploadSeconds', (seconds) => `| upload URL | ${seconds / 60} minutes |`],
    [
      'shared/product-files/parts',
      'shared/product-files/parts/upload-parts.ts',
      'partUploadSeconds',
      (seconds) => `| upload in parts | ${seconds / 3600} hours;`,
    ],
    [
      'shared/product-files/parts',
      'shared/product-files/parts/upload-parts.ts',
      'maxSignedParts',
      (parts) => `at most ${parts} signed by one request`,
    ],
    [
      'shared/product-files',
      'shared/product-files/file-downloads.ts',
      'downloadSeconds',
      (seconds) => `| download URL | ${seconds / 60} minutes |`,
    ],
    [
      'shared/mail',
      'shared/mail/outbox/link-mail-repository.ts',
      'maxLinkMails',
      (mailings) => `at most ${mailings} in any hour that cost nobody money`,
    ],
    ['shared/product-files', 'shared/product-files/own-file.ts', 'maxLiveFiles', (files) => `| live files of a product | ${files},`],
    [
      'shared/product-files/states.md',
      'shared/product-files/file-states.ts',
      'maxWaitingScans',
      (scans) => `\`waitingScans\`, at most ${scans}`,
    ],
    [
      'shared/product-files/bytes.md',
      'shared/product-files/storage/file-name.ts',
      'maxLength',
      (length) => `at most ${length} characters with its extension`,
    ],
    ['shared/code-batches/imports.md', 'shared/code-batches/code-batch.ts', 'maxRows', (rows) => `over ${grouped(rows)}`],
    ['shared/code-batches/imports.md', 'shared/code-batches/code-batch.ts', 'maxCommas', (commas) => `over ${grouped(commas)} commas`],
    ['shared/code-batches/imports.md', 'shared/code-batches/code-batch.ts', 'maxListedErrors', (errors) => `the first ${errors} listed`],
    [
      'shared/code-batches/imports.md',
      'shared/code-batches/code-batch.ts',
      'minSymbols',
      (symbols) => `at least ${symbols} of which remain`,
    ],
    ['shared/code-batches/imports.md', 'shared/code-batches/code-batch.ts', 'maxSymbols', (symbols) => `8 to ${symbols} printable`],
    [
      'shared/code-batches/imports.md',
      'shared/code-batches/code-upload-repository.ts',
      'codesPerPiece',
      (codes) => `in pieces of ${grouped(codes)}`,
    ],
    ['shared/code-batches/imports.md', 'shared/code-batches/code-upload-repository.ts', 'keptDays', (days) => `expire after ${days} days`],
    [
      'shared/code-batches/imports.md',
      'functions/code-importer/import-codes.ts',
      'codesPerTransaction',
      (codes) => `${codes} codes a transaction`,
    ],
    ['shared/crypto', 'shared/crypto/sealed-text.ts', 'ivBytes', (bytes) => `a random IV of ${bytes} bytes`],
    ['shared/crypto', 'shared/crypto/sealed-text.ts', 'tagBytes', (bytes) => `a tag of ${bytes},`],
    ['functions/file-scanner', 'functions/file-scanner/scan-file.ts', 'maxAttempts', (attempts) => `(${attempts} attempts)`],
    [
      'functions/file-scanner',
      'functions/file-scanner/await-scan.ts',
      'waitSeconds',
      (seconds) => `the upload scan has ${seconds / 60} minutes`,
    ],
    ['infra', 'infra/stacks/api-stack.ts', 'apiFunctionSeconds', (seconds) => `API functions end after ${seconds} s`],
  ])('%s: %s %s', (page, path, name, phrase) => {
    const text = readPage(page.endsWith('.md') ? page : `${page}/README.md`).replace(/\s+/g, ' ');
    expect(text).toContain(phrase(numberIn(path, name)));
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
