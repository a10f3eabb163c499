import { mailWorkers } from '../../shared/mail/sending/send-pace.ts';
import type { QueueSetting } from '../../shared/queue/messages.ts';

/** A queue of jobs, its worker, and what users lose while it is not processed. */
export interface QueueDefinition {
  /** Construct id, and the start of the queue's name. */
  id: string;
  /** The folder of the function that works it off. */
  worker: string;
  /** How long one batch may take. A message stays invisible six times as long. */
  timeoutSeconds: number;
  batchSize: number;
  memoryMb: number;
  /** How many batches are worked off at the same time. */
  maxConcurrency: number;
  /** What users lose while jobs of this queue are not done: the text of its alarms. */
  usersLose: string;
}

/** Jobs that write items or call somebody. */
const brief = { timeoutSeconds: 60, batchSize: 10, memoryMb: 512, maxConcurrency: 20 };
/** Jobs that read a file from its beginning to its end. */
const ofFiles = { timeoutSeconds: 900, batchSize: 1, memoryMb: 1024, maxConcurrency: 20 };

export const queueDefinitions: Readonly<Record<QueueSetting, QueueDefinition>> = {
  WEBHOOK_QUEUE_URL: {
    id: 'Webhook',
    worker: 'event-projector',
    ...brief,
    usersLose: 'Buyers who paid get no license, and refunds and disputes do not reach licenses.',
  },
  MAIL_QUEUE_URL: {
    id: 'Mail',
    worker: 'mail-sender',
    ...brief,
    // SES limits the rate of the account, and each shares it.
    maxConcurrency: mailWorkers,
    usersLose: 'Buyers get no mail with the link to their license.',
  },
  HASH_QUEUE_URL: {
    id: 'Hash',
    worker: 'file-hasher',
    ...ofFiles,
    usersLose: 'Uploaded files are not verified, so sellers cannot offer them.',
  },
  SCAN_QUEUE_URL: {
    id: 'Scan',
    worker: 'file-scanner',
    ...ofFiles,
    usersLose: 'Uploaded files are not scanned, so admins have to vouch for each by hand.',
  },
  IMPORT_QUEUE_URL: {
    id: 'Import',
    worker: 'code-importer',
    ...ofFiles,
    memoryMb: 512,
    usersLose: 'Imported codes are not for sale, and paid orders that wait for one keep waiting.',
  },
  EVENT_QUEUE_URL: {
    id: 'Event',
    worker: 'event-publisher',
    ...brief,
    usersLose: 'Sellers’ systems do not hear of sales, refunds and activations.',
  },
  DELIVERY_QUEUE_URL: {
    id: 'Delivery',
    worker: 'event-sender',
    ...brief,
    // A receiver that hangs holds a batch for ten seconds; it takes hundreds of them to delay others.
    maxConcurrency: 200,
    usersLose: 'Events reach sellers’ systems late.',
  },
};
