import { examplePicture } from './example-picture.ts';

/** A file as its seller hands it in, and what an admin does about it. */
export interface ExampleFile {
  filename: string;
  content_type: string;
  purpose: 'download' | 'image' | 'release';
  bytes: Buffer;
  approved: boolean;
}

export interface ExampleSale {
  buyer: string;
  locale: 'ja' | 'en';
  /** How many, and with which code, where it is not one at the full price. */
  choice?: { quantity?: number; discount_code?: string };
  /** Names of the devices on which the app was activated. */
  devices?: readonly string[];
  refunded?: true;
  suspended?: string;
}

export interface ExampleRelease {
  version: string;
  notes: string;
  published: boolean;
}

export interface ExampleProduct {
  draft: { name: string } & Record<string, unknown>;
  /** The code of a discount, and what it is made with besides. */
  discount?: { code: string } & Record<string, unknown>;
  /** How far it came. */
  state: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'suspended';
  reason?: string;
  files?: readonly ExampleFile[];
  /** Imported where the product sells codes. */
  codes?: readonly string[];
  releases?: readonly ExampleRelease[];
  sales?: readonly ExampleSale[];
  /** What the seller changed since, and whether it waits for review. */
  edit?: { changes: Record<string, unknown>; submitted: boolean };
}

export interface ExampleSeller {
  owner: { userId: string; email: string };
  application: Record<string, string>;
  /** Whether payments are set up. */
  takesPayments: boolean;
  review?: { decision: 'approve' | 'approve_limited' | 'needs_more_info' | 'reject' | 'suspend'; note?: string };
  products: readonly ExampleProduct[];
}

/** The seller with the most to see. */
export const firstOwner = { userId: 'example-aoi', email: 'aoi@example.com' };

const archive = (title: string) => Buffer.from(`${title}\n${'An example of a file that buyers download.\n'.repeat(400)}`);

function download(filename: string, { approved }: { approved: boolean }): ExampleFile {
  return { filename, content_type: 'application/zip', purpose: 'download', bytes: archive(filename), approved };
}

const japanese = {
  currency: 'JPY',
  support_email: 'support@aoi-soft.example',
  refund_policy: 'ご購入から14日以内であれば、理由を問わず全額を返金します。',
  software_operating_environment: 'Windows 11、macOS 14 以降',
  tokushoho_seller_name: '株式会社あおいソフト',
  tokushoho_contact: '03-0000-0000(平日10時〜17時)',
  tokushoho_address: '東京都千代田区丸の内0-0-0',
};

const photoBook = {
  ...japanese,
  name: 'そらいろ写真帳',
  description:
    '撮りためた写真を、日付と場所で自動的に整理するアプリです。\n\n・数十万枚でもすぐに開きます\n・家族ごとのアルバムを一つの画面で\n・写真はお使いのパソコンから外へ出ません',
  price_amount: 3800,
  license_key_prefix: 'SORA',
  activation_limit: 3,
  features: ['raw', 'albums'],
  feature_labels: { raw: { ja: 'RAW現像', en: 'RAW development' }, albums: { ja: '共有アルバム', en: 'Shared albums' } },
  offline_days: 30,
  offline_file_days: 90,
  updates_days: 365,
  max_quantity: 5,
  addition_prices: { seat: 980, updates: 1600 },
};

const english = {
  currency: 'USD',
  support_email: 'help@northwind.example',
  refund_policy: 'A full refund within 30 days of purchase, no questions asked.',
  software_operating_environment: 'Windows 10 or later, macOS 13 or later, Ubuntu 22.04 or later',
};

export const exampleSellers: readonly ExampleSeller[] = [
  {
    owner: firstOwner,
    application: {
      display_name: 'あおいソフト',
      contact_email: 'aoi@example.com',
      support_email: 'support@aoi-soft.example',
      site_url: 'https://aoi-soft.example',
      invoice_registration_number: 'T1234567890123',
    },
    takesPayments: true,
    review: { decision: 'approve' },
    products: [
      {
        draft: photoBook,
        state: 'approved',
        discount: { code: 'HAJIMETE-10', percent_off: 10, max_redemptions: 200, description: '初めての方へ' },
        files: [
          download('そらいろ写真帳-1.0.zip', { approved: true }),
          { filename: 'sorairo.png', content_type: 'image/png', purpose: 'image', bytes: examplePicture(), approved: true },
        ],
        releases: [
          { version: '1.1.0', notes: '- 起動が速くなりました\n- RAWの色合いを見直しました', published: true },
          { version: '1.2.0', notes: '- 家族アルバムに招待できるようになりました', published: false },
        ],
        sales: [
          { buyer: 'hanako@example.com', locale: 'ja', devices: ['居間のパソコン', 'ノートパソコン'] },
          { buyer: 'taro@example.com', locale: 'ja', refunded: true },
          { buyer: 'emily@example.com', locale: 'en', suspended: 'The buyer reported that the key was shared.' },
          { buyer: 'jiro@example.com', locale: 'ja', choice: { quantity: 3, discount_code: 'HAJIMETE-10' } },
        ],
        edit: {
          changes: { price_amount: 4200, description: `${photoBook.description}\n・動画もまとめて整理できるようになりました` },
          submitted: true,
        },
      },
      {
        draft: {
          ...japanese,
          name: 'かんたん議事録',
          description: '会議の音声から議事録の下書きを作ります。',
          price_amount: 6800,
          license_key_prefix: 'GIJI',
        },
        state: 'pending_review',
        files: [download('かんたん議事録-0.9.zip', { approved: false })],
      },
      {
        draft: { ...japanese, name: 'なつかしフォント集', description: '昭和の看板文字を集めた書体集です。', price_amount: 2400 },
        state: 'rejected',
        reason:
          '収録されている書体のうち2つについて、再配布の許諾を確認できません。許諾を示す書類のある書体だけにするか、説明に出典を加えて、もう一度提出してください。',
      },
      {
        draft: { ...japanese, name: 'はやうち練習帳', description: 'キーボードの練習を毎日10分。', price_amount: 980 },
        state: 'draft',
      },
    ],
  },
  {
    owner: { userId: 'example-nora', email: 'nora@example.com' },
    application: {
      display_name: 'Northwind Tools',
      contact_email: 'nora@example.com',
      support_email: 'help@northwind.example',
      site_url: 'https://northwind.example',
    },
    takesPayments: true,
    review: { decision: 'approve_limited', note: 'Limited until the first three products have sold without complaints.' },
    products: [
      {
        draft: {
          ...english,
          name: 'Northwind Backup',
          description:
            'Encrypted backups of the folders that matter, to a disk of your own. Keys are those of our existing activation server.',
          price_amount: 2900,
          license_issuance_mode: 'imported_csv',
        },
        state: 'approved',
        codes: Array.from({ length: 11 }, (_, index) => `NWB-2026-${String(4711 + 37 * index)}-EXAMPLE`),
        sales: [
          { buyer: 'oliver@example.com', locale: 'en' },
          { buyer: 'mia@example.com', locale: 'en' },
        ],
      },
      {
        draft: { ...english, name: 'Northwind Mirror', description: 'Keeps two folders alike, over any network.', price_amount: 1900 },
        state: 'suspended',
        reason: 'Reports that version 2 deletes files on the second disk. Suspended until a fixed build is here.',
        files: [download('northwind-mirror-2.0.zip', { approved: true })],
      },
      {
        draft: { ...english, name: 'Northwind Notes', description: 'Plain text notes that sync without an account.', price_amount: 1200 },
        state: 'approved',
        files: [download('northwind-notes-3.1.zip', { approved: true })],
        edit: { changes: { price_amount: 1500 }, submitted: false },
      },
    ],
  },
  {
    owner: { userId: 'example-kai', email: 'kai@example.com' },
    application: {
      display_name: 'Kai Audio',
      contact_email: 'kai@example.com',
      support_email: 'kai@example.com',
      site_url: 'https://kai-audio.example',
    },
    takesPayments: false,
    review: {
      decision: 'needs_more_info',
      note: 'Please name the site on which the plug-ins are described: the present one only has a logo.',
    },
    products: [
      {
        draft: { ...english, name: 'Kai Compressor', description: 'A compressor plug-in with the sound of old tape.', price_amount: 4900 },
        state: 'draft',
      },
    ],
  },
  {
    owner: { userId: 'example-max', email: 'max@example.com' },
    application: {
      display_name: 'Key Bargain Outlet',
      contact_email: 'max@example.com',
      support_email: 'max@example.com',
      site_url: 'https://key-bargain.example',
    },
    takesPayments: false,
    review: { decision: 'reject', note: 'Keys of other makers are resold here, and this service is for software of one’s own.' },
    products: [],
  },
];

/** Comes last of all: with it everything is there. */
export const lastSeller: ExampleSeller = {
  owner: { userId: 'example-mori', email: 'mori@example.com' },
  application: {
    display_name: '森の工房',
    contact_email: 'mori@example.com',
    support_email: 'support@mori.example',
    site_url: 'https://mori.example',
  },
  takesPayments: false,
  products: [],
};
