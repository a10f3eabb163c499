/** The language of the page, for dates and numbers. */
export const locale = document.documentElement.lang;

const none = '—';

export const momentInWords = (iso: string | undefined): string =>
  iso ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)) : none;

export const dayInWords = (iso: string | undefined): string =>
  iso ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(iso)) : none;

/** Whom the buyer bought from: the name that the law wants, else the one that the seller goes by. */
export const sellerIn = (product: { seller_display_name: string; tokushoho_seller_name?: string | undefined }): string =>
  product.tokushoho_seller_name?.trim() || product.seller_display_name;
