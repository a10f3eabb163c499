/** A reply of `POST /v1/purchases/complete`, as the completion page gets it. */
export function samplePurchase({ status = 'active', orderStatus = 'paid', files = true, license = true } = {}) {
  const usable = ['active', 'suspended', 'expired'].includes(status);
  return {
    order: {
      id: 'ord_01KDNX4V5S8G7W9Q2M3B6T1ZRC',
      status: orderStatus,
      amount: 4800,
      currency: 'JPY',
      paid_at: '2026-01-31T09:00:00.000Z',
    },
    product: {
      id: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZRC',
      slug: 'waveform-editor-pro',
      name: 'Waveform Editor Pro',
      seller_display_name: 'Harbour Works Ltd.',
      support_email: 'support@harbour.example',
      refund_policy: 'You get your money back within 14 days of buying, without giving a reason.',
      software_operating_environment: 'macOS 14 or newer\nWindows 11, 64 bit',
    },
    ...(license && {
      license: {
        id: 'lic_01KDNX4V5S8G7W9Q2M3B6T1ZRC',
        status,
        ...(usable && { license_key: 'LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA' }),
        activation_limit: 3,
        activation_count: 1,
        issued_at: '2026-01-31T09:00:03.000Z',
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
  };
}
