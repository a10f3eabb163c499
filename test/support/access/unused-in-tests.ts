/**
 * Rights that the functions need and that no whole stack uses in the tests, each with its reason. A right is
 * named as `npm run test:rights` names it; `*` stands for any text. A reason that is not needed any more fails the run.
 */
export const unusedInTests: Readonly<Record<string, string>> = {
  '* sqs:ChangeMessageVisibility *': 'Connecting a queue to a function demands it, and no worker uses it.',
  '* sqs:GetQueueUrl *': 'Connecting a queue to a function grants it, and no worker uses it.',
  'admin dynamodb:*Item JOB#': 'A job that an admin has done: here none is dead or late.',
  'admin sqs:SendMessage *': 'The same, of the jobs that are no mails.',
  'product-files s3:AbortMultipartUpload *': 'An upload in parts that is begun and refused, for its seller has no room.',
  'sweeper dynamodb:UpdateItem PRODUCT#': 'What waited before there was a queue for admins is put into it.',
  'sweeper dynamodb:UpdateItem RELEASE#': 'The same, of releases.',
  'sweeper dynamodb:UpdateItem SELLER#': 'The same, of sellers.',
  'file-scanner guardduty:SendObjectMalwareScan *': 'There is no GuardDuty here.',
  'file-scanner dynamodb:PutItem JOB#': 'Waiting for a report of GuardDuty.',
  'mail-sender ses:SendEmail identity/*': 'Either the address is verified or its domain, which the templates cannot know.',
  'event-projector dynamodb:GetItem CHARGE#': 'An event may name a charge alone; the fake provider names the payment too.',
  'event-publisher dynamodb:UpdateItem SELLER#': 'An endpoint that was made by a clock ahead of the publisher’s.',
  'event-sender sqs:SendMessage MailQueue*': 'The notice of an endpoint that failed for five days.',
  'file-hasher dynamodb:*Item SELLER#': 'Bytes are deleted once the URL of their upload has ended, after 15 minutes, and counted off then.',
  'file-hasher s3:DeleteObjectVersion *': 'The same deletion.',
  'file-hasher s3:ListBucketVersions *': 'The same deletion.',
  'file-hasher dynamodb:BatchGetItem PRODUCT#': 'The same, of a seller whose files are older than the count of their bytes.',
  'file-hasher dynamodb:Query SELLER#': 'The same, of a seller whose files are older than the count of their bytes.',
  'file-hasher dynamodb:GetItem RELEASE#': 'A file that is in a draft a week after its upload.',
  'file-* dynamodb:Query PRODUCT#': 'A product whose files are older than the index of them.',
};

/** Rights that a whole stack uses only where something fails, or two meet: in one run of the tests and not in the next. */
export const usedByChance: Readonly<Record<string, string>> = {
  'sweeper dynamodb:UpdateItem JOB#': 'Jobs whose message was lost.',
  'sweeper sqs:SendMessage *': 'Jobs whose message was lost.',
  'code-importer sqs:SendMessage ImportQueue*': 'Another attempt of a job that failed.',
  'event-projector sqs:SendMessage WebhookQueue*': 'Another attempt of a job that failed.',
  'event-publisher sqs:SendMessage EventQueue*': 'Another attempt of a job that failed.',
  'file-hasher sqs:SendMessage HashQueue*': 'Another attempt of a job that failed.',
  'file-scanner sqs:SendMessage ScanQueue*': 'Another attempt of a job that failed.',
  'mail-sender sqs:SendMessage MailQueue*': 'Another attempt of a job that failed.',
  'code-batches dynamodb:DeleteItem UPLOAD#': 'Two uploads under one idempotency key at the same moment.',
  'event-projector dynamodb:ConditionCheckItem ORDER#': 'A dispute that ends while the mail is on its way.',
  'file-scanner dynamodb:UpdateItem PRODUCT#': 'A verdict that comes after the approval.',
  'purchases dynamodb:Query LICENSE#':
    'The devices of a license that moves, or whose seats are not all there, being older than their items.',
  'file-* s3:ListBucket *': 'An object that is gone is told from one that may not be read.',
};
