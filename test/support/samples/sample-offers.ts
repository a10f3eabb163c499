import type { ProductOffer } from '../../../functions/pages/find-offer.ts';
import { newId } from '../../../shared/ids.ts';

const sellingTerms = { maxQuantity: 1, additionPrices: {}, upgradesFrom: [] };

const waveform: ProductOffer = {
  product: {
    slug: 'waveform-editor-pro',
    name: 'Waveform Editor Pro',
    description:
      'Cut, clean and master recordings on your own computer. Waveform Editor Pro opens files of any length at once, because it never loads more than you see.\n\nThe spectral view shows hum, clicks and wind as shapes that you can select and take out. Every step stays undoable, even after you saved.\n\nPlug-ins: VST3 and AU. Formats: WAV, AIFF, FLAC, Opus, MP3.',
    priceAmount: 4900,
    currency: 'USD',
    supportEmail: 'support@harbour.example',
    refundPolicy: 'You get your money back within 14 days of buying, without giving a reason. Write to support with your order number.',
    softwareOperatingEnvironment: 'macOS 14 or newer (Apple silicon and Intel)\nWindows 11, 64 bit\n4 GB of memory, 300 MB of disk space',
    activationLimit: 3,
    offlineDays: 14,
    offlineFileDays: 90,
    updatesDays: 365,
    ...sellingTerms,
    features: ['Spectral editing', 'Batch processing', 'VST3 and AU plug-ins', 'Updates for one year'],
  },
  termsRevision: 4,
  sellerName: 'Harbour Works Ltd.',
  onSale: true,
};

const hakei: ProductOffer = {
  product: {
    slug: '波形エディター-pro',
    name: '波形エディター Pro',
    description:
      '録音した音を、手元のパソコンで切り出し、整え、仕上げるためのソフトウェアです。画面に見えている部分だけを読み込むので、何時間の録音でもすぐに開きます。\n\nスペクトル表示では、ハムノイズやクリック、風の音が形として見え、選んで取り除けます。操作は保存したあとでも取り消せます。\n\n対応プラグイン：VST3、AU。対応形式：WAV、AIFF、FLAC、Opus、MP3。',
    priceAmount: 4800,
    currency: 'JPY',
    supportEmail: 'support@minato.example',
    refundPolicy: '購入から14日以内であれば、理由を問わず全額を返金します。注文番号を添えて、お問い合わせ先までご連絡ください。',
    softwareOperatingEnvironment: 'macOS 14 以降（Apple シリコン、Intel）\nWindows 11（64ビット）\nメモリ 4 GB以上、空き容量 300 MB以上',
    tokushohoSellerName: '株式会社みなと工房（運営責任者：港 花子）',
    tokushohoContact: '03-0000-0000（平日10時から17時）',
    tokushohoAddress: '〒100-0000 東京都千代田区架空町1-2-3 みなとビル4階',
    activationLimit: 3,
    offlineDays: 14,
    offlineFileDays: 90,
    updatesDays: 365,
    ...sellingTerms,
    features: ['スペクトル編集', '一括処理', 'VST3・AUプラグイン', '1年間のアップデート'],
  },
  termsRevision: 2,
  sellerName: 'みなと工房',
  onSale: true,
};

const change = (
  offer: ProductOffer,
  slug: string,
  product: Partial<ProductOffer['product']>,
  more: Partial<ProductOffer> = {},
): ProductOffer => ({
  ...offer,
  ...more,
  product: { ...offer.product, slug, ...product },
});

/** Products as the pages must be able to show them, by slug. */
export const sampleOffers = new Map(
  [
    waveform,
    hakei,
    change(waveform, 'not-on-sale', { offlineDays: 0, offlineFileDays: 0, updatesDays: 36_500 }, { onSale: false }),
    change(waveform, 'free', { name: 'Tuner', priceAmount: 0, activationLimit: 1, offlineDays: 1, offlineFileDays: 1, updatesDays: 0 }),
    change(
      waveform,
      'team',
      { name: 'Waveform Team', maxQuantity: 20, upgradesFrom: [{ productId: newId('product'), priceAmount: 1900 }] },
      { registrationNumber: 'T1234567890123' },
    ),
    change(hakei, 'long', {
      name: 'とてもとても長い名前のソフトウェアとWithAVeryLongLatinWordThatCannotBeBrokenAnywhereAtAll統合版',
      priceAmount: 99_999_999,
      description: 'あ'.repeat(2000),
      features: Array.from({ length: 40 }, (_, index) => `機能その${index + 1}`),
      supportEmail: `${'a'.repeat(60)}@${'long-name.'.repeat(6)}example`,
    }),
    change(waveform, 'hostile', {
      name: '<script>alert(1)</script>"><img src=x onerror=alert(1)>',
      description: '</div><script>alert(2)</script>\n\n" onload="alert(3)',
      refundPolicy: "'><svg onload=alert(4)>",
      features: ['<b>bold</b>'],
      tokushohoAddress: '<iframe src="https://evil.example">',
    }),
  ].map((offer) => [offer.product.slug, offer]),
);
