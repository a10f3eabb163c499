const orderId = 'ord_01KDNX4V5S8G7W9Q2M3B6T1ZRC';

/** A completion token, as far as a browser reads it. */
export function sampleToken(use: 'redirect' | 'mail'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part({ sub: orderId, use, iat: 1_769_850_000 })}.${'c2ln-_'.repeat(8).slice(0, 43)}`;
}

/** What a payer's reply of `POST /v1/purchases/complete` has besides. */
export const forPayer = { buyer_email: 'buyer@example.com', buyer_email_masked: 'b…@example.com' };

/** The invoice of the sample purchase at a rate, its tax as the service counts it. */
export const sampleInvoice = (percent: 0 | 8 | 10 = 10, more: object = {}) => ({
  registration_number: 'T1234567890123',
  seller_name: '株式会社みなと工房',
  tax_percent: percent,
  tax_amount: Math.floor((4800 * percent) / (100 + percent)),
  ...more,
});

/** All that can be bought for the sample purchase, in another currency than it was. */
export const sampleOffers = (more: object = {}) => ({
  seat: { unit_amount: 1250, currency: 'USD' },
  updates: { amount: 1900, currency: 'USD', days: 365 },
  upgrades: [
    {
      product_id: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZSA',
      slug: '波形エディター-studio',
      name: '波形エディター Studio',
      amount: 6000,
      currency: 'JPY',
      activation_limit: 1,
    },
    {
      product_id: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZSB',
      slug: 'waveform-suite',
      name: 'Waveform Suite',
      amount: 0,
      currency: 'USD',
      activation_limit: 5,
    },
  ],
  ...more,
});

/** What the service answers for the token of whoever paid for three more seats. */
export const sampleAddition = (options: Parameters<typeof samplePurchase>[0] = {}) =>
  samplePurchase({
    license: false,
    files: false,
    ...options,
    order: { kind: 'seats', quantity: 3, unit_amount: 1600, ...options.order },
    more: { added: '3 seats', ...options.more },
  });

/** A page of `POST /v1/purchases/devices`. */
export const sampleDevices = (labels: readonly (string | undefined)[] = ['Studio Mac', undefined], more: object = {}) => ({
  license_id: 'lic_01KDNX4V5S8G7W9Q2M3B6T1ZRC',
  activation_limit: 3,
  activation_count: labels.length,
  devices: labels.map((label, index) => ({
    activation_id: `act_01KDNX4V5S8G7W9Q2M3B6T1Z${String(index).padStart(2, '0')}`,
    ...(label !== undefined && { device_label: label }),
    activated_at: `2026-01-${String(30 - (index % 20)).padStart(2, '0')}T12:00:00.000Z`,
  })),
  moves_left: 5,
  ...more,
});

/** A reply of `POST /v1/purchases/complete`, as the completion page gets it. */
export function samplePurchase({
  status = 'active',
  orderStatus = 'paid',
  files = true,
  license = true,
  used = 0,
  updatesUntil = '',
  refunded = 0,
  more = {},
  seller = {},
  order = {},
}: {
  status?: string;
  orderStatus?: string;
  files?: boolean;
  license?: boolean;
  used?: number;
  updatesUntil?: string;
  refunded?: number;
  more?: object;
  seller?: object;
  order?: object;
} = {}) {
  const usable = ['active', 'suspended', 'expired'].includes(status);
  return {
    order: {
      id: orderId,
      status: orderStatus,
      payment_status: 'succeeded' as const,
      kind: 'license' as const,
      quantity: 1,
      unit_amount: 4800,
      amount: 4800,
      amount_refunded: refunded,
      currency: 'JPY',
      paid_at: '2026-01-31T09:00:00.000Z',
      paid_on: '2026-01-31',
      time_zone: 'Asia/Tokyo',
      ...order,
    },
    product: {
      id: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZRC',
      slug: 'waveform-editor-pro',
      name: 'Waveform Editor Pro',
      seller_id: 'sel_01KDNX4V5S8G7W9Q2M3B6T1ZRC',
      seller_display_name: 'Harbour Works Ltd.',
      support_email: 'support@harbour.example',
      refund_policy: 'You get your money back within 14 days of buying, without giving a reason.',
      software_operating_environment: 'macOS 14 or newer\nWindows 11, 64 bit',
      ...seller,
    },
    ...(license && {
      license: {
        id: 'lic_01KDNX4V5S8G7W9Q2M3B6T1ZRC',
        status,
        ...(usable && { license_key: 'LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA' }),
        activation_limit: 3,
        activation_count: used,
        issued_at: '2026-01-31T09:00:03.000Z',
        ...(updatesUntil && { updates_until: updatesUntil }),
      },
    }),
    files:
      usable && files
        ? [
            {
              file_id: 'fil_01KDNX4V5S8G7W9Q2M3B6T1ZRA',
              file_name: 'waveform-editor-pro-3.2.1-macos.dmg',
              content_type: 'application/x-apple-diskimage',
              size_bytes: 88_432_117,
              sha256_hex: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
            },
            {
              file_id: 'fil_01KDNX4V5S8G7W9Q2M3B6T1ZRB',
              file_name: '波形エディター-はじめかた.pdf',
              content_type: 'application/pdf',
              size_bytes: 734_003,
              sha256_hex: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
            },
          ]
        : [],
    expires_at: '2026-02-01T09:00:00.000Z',
    ...more,
  };
}

const artifact = (id: string, platform: string, arch: string, fileName: string, more: object = {}) => ({
  file_id: `fil_01KDNX4V5S8G7W9Q2M3B6T1Z${id}`,
  platform,
  arch,
  kind: 'full',
  file_name: fileName,
  size_bytes: 88_432_117,
  sha256_hex: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  available: true,
  ...more,
});

/** A page of `POST /v1/purchases/releases`. */
export const sampleReleases = (more: object = {}) => ({
  updates_until: '2025-06-01T09:00:00.000Z',
  items: [
    { version: '4.0.0', channel: 'stable', notes: 'All new.', published_at: '2025-08-01T09:00:00.000Z', critical: false, covered: false },
    {
      version: '3.3.0-beta.2',
      channel: 'beta',
      notes: 'A new spectral view.',
      published_at: '2025-05-02T09:00:00.000Z',
      critical: false,
      covered: true,
      artifacts: [artifact('M1', 'macos', 'arm64', 'waveform-editor-pro-3.3.0-beta.2.dmg', { minimum_os: '13.0' })],
    },
    {
      version: '3.2.1',
      channel: 'stable',
      notes: '- Opens `.opus` files\n- <b>Fixes a crash</b>',
      published_at: '2025-03-01T20:00:00.000Z',
      critical: true,
      covered: true,
      artifacts: [
        artifact('W1', 'windows', 'x64', 'waveform-editor-pro-3.2.1-setup.exe', { minimum_os: '10.0' }),
        artifact('W1', 'windows', 'arm64', 'waveform-editor-pro-3.2.1-setup.exe', { minimum_os: '10.0' }),
        artifact('D1', 'windows', 'x64', 'waveform-editor-pro-3.2.1-delta.nupkg', { kind: 'delta' }),
        artifact('T1', 'linux', 'x64', 'waveform-editor-pro-3.2.1.AppImage'),
        artifact('T2', 'linux', 'x64', 'withdrawn.deb', { available: false }),
      ],
    },
  ],
  ...more,
});
