/**
 * Who does what with items, by the partition: Get, BatchGet, Query, Put, Update, Delete, and C for a condition
 * check. What is not here is denied. It is written down apart from the functions' own declarations, and the
 * other way round, so that a right has to be wanted twice.
 */
export const itemRights: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ACCOUNT#': { 'event-projector': 'G', sellers: 'P' },
  'AUDIT#': {
    admin: 'QP',
    'code-batches': 'Q',
    'event-projector': 'P',
    'file-hasher': 'P',
    'file-scanner': 'P',
    'mail-sender': 'P',
    orders: 'P',
    'product-files': 'P',
    products: 'P',
    purchases: 'P',
    sellers: 'P',
    'webhook-endpoints': 'P',
  },
  'BUYER#': { admin: 'QPD', 'event-projector': 'P', 'mail-sender': 'GQP', orders: 'Q', purchases: 'PD' },
  'CHARGE#': { 'event-projector': 'GP' },
  'CHECKOUT#': { pages: 'GPD', storefront: 'GPD' },
  'CODE#': { 'code-importer': 'BP' },
  'ENDPOINT#': { 'event-publisher': 'P', 'event-sender': 'GBQPUD', 'webhook-endpoints': 'QUD' },
  'EVENT#': { 'event-projector': 'GU', 'payment-webhooks': 'P' },
  'JOB#': {
    admin: 'P',
    'code-batches': 'P',
    'code-importer': 'PUD',
    'event-projector': 'PUD',
    'event-publisher': 'UD',
    'event-sender': 'PUD',
    'file-hasher': 'PUD',
    'file-scanner': 'PUD',
    licenses: 'P',
    'mail-sender': 'UD',
    orders: 'P',
    pages: 'P',
    'payment-webhooks': 'P',
    'product-files': 'P',
    purchases: 'P',
    sweeper: 'U',
    'webhook-endpoints': 'PU',
  },
  'LICENSE#': { admin: 'GBQU', 'code-importer': 'B', 'event-projector': 'GPUC', licenses: 'BUC', orders: 'GBQU', purchases: 'GBQPUC' },
  'LICENSE_ID#': { admin: 'GB', 'event-projector': 'GP', orders: 'GB', purchases: 'GPU' },
  'MAILING#': { 'mail-sender': 'G', pages: 'P', purchases: 'P' },
  'ORDER#': {
    admin: 'GBP',
    'event-projector': 'GPUC',
    'mail-sender': 'GBUC',
    orders: 'GBP',
    pages: 'GPUD',
    purchases: 'GP',
    storefront: 'GPUD',
  },
  'PAYMENT#': { admin: 'G', 'event-projector': 'GP', purchases: 'G' },
  'PRODUCT#': {
    admin: 'GBQPUC',
    'code-batches': 'GQPC',
    'code-importer': 'GU',
    'file-hasher': 'GBQPU',
    'file-scanner': 'GQPU',
    pages: 'B',
    pictures: 'GB',
    'product-files': 'GBQPU',
    products: 'GBP',
    purchases: 'GBQUC',
    storefront: 'B',
  },
  'RATE#': { admin: 'U', licenses: 'U', orders: 'U', pages: 'U', purchases: 'U', storefront: 'U' },
  READINESS: { health: 'G' },
  'SELLER#': {
    admin: 'GQU',
    'code-batches': 'GPC',
    'code-importer': 'G',
    'event-projector': 'GPU',
    'event-publisher': 'Q',
    'event-sender': 'GU',
    'file-hasher': 'GQPU',
    'mail-sender': 'G',
    orders: 'GQC',
    pages: 'BPD',
    pictures: 'B',
    'product-files': 'GQPU',
    products: 'GQPU',
    purchases: 'G',
    sellers: 'GPU',
    storefront: 'BPD',
    'webhook-endpoints': 'GQPUDC',
  },
  'SELLER_EVENTS#': { 'event-publisher': 'P', 'event-sender': 'GBQ', 'webhook-endpoints': 'G' },
  'SLUG#': { pages: 'G', products: 'P', storefront: 'G' },
  'STOCK#': { 'code-batches': 'Q', 'code-importer': 'P', 'event-projector': 'QD', pages: 'Q', storefront: 'Q' },
  'UPLOAD#': { 'code-batches': 'PD', 'code-importer': 'GD' },
  'USER#': { orders: 'G', products: 'G', sellers: 'GP', 'webhook-endpoints': 'G' },
  'WAITING#': { 'code-batches': 'Q', 'event-projector': 'QPD' },
};

export const actionOf: Readonly<Record<string, string>> = {
  G: 'GetItem',
  B: 'BatchGetItem',
  Q: 'Query',
  P: 'PutItem',
  U: 'UpdateItem',
  D: 'DeleteItem',
  C: 'ConditionCheckItem',
};

/** Who queries which index. */
export const indexRights: Readonly<Record<string, readonly string[]>> = { list: ['admin'], pending: ['sweeper'] };

/** Who sends to which queue, named by the beginning of its id. Each worker sends to its own, to try again. */
export const senders: Readonly<Record<string, readonly string[]>> = {
  Webhook: ['code-importer', 'event-projector', 'payment-webhooks', 'sweeper'],
  Mail: ['admin', 'event-projector', 'event-sender', 'mail-sender', 'orders', 'pages', 'purchases', 'sweeper'],
  Hash: ['file-hasher', 'product-files', 'sweeper'],
  Scan: ['file-hasher', 'file-scanner', 'sweeper'],
  Import: ['code-batches', 'code-importer', 'sweeper'],
  Event: ['event-publisher', 'sweeper'],
  Delivery: ['event-publisher', 'event-sender', 'sweeper', 'webhook-endpoints'],
};

/** Who does what with objects, by what their keys begin with, and with the bucket as a whole. */
export const objectRights: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'files/': {
    admin: ['GetObjectVersion'],
    'file-hasher': ['GetObjectVersion', 'DeleteObjectVersion'],
    'file-scanner': ['GetObjectVersion'],
    'product-files': ['GetObject', 'PutObject'],
    purchases: ['GetObjectVersion'],
  },
  'pictures/': { 'file-hasher': ['PutObject', 'DeleteObjectVersion'], pictures: ['GetObjectVersion'] },
  '': {
    'file-hasher': ['ListBucket', 'ListBucketVersions'],
    'file-scanner': ['ListBucket'],
    health: ['ListBucket'],
    'product-files': ['ListBucket'],
  },
};
