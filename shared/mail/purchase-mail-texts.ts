/** The texts of the mail about one purchase, and of the mail with fresh links to all of them; one object per language. */
export interface PurchaseMailTexts {
  subject(productName: string, isFree: boolean): string;
  greeting(productName: string, isFree: boolean): string;
  whatToDo: string;
  openPurchase: string;
  lasts(hours: number): string;
  keepPrivate: string;
  notYou: string;
  facts: {
    product: string;
    price: string;
    free: string;
    taxIncluded(price: string): string;
    order: string;
    paidOn: string;
    orderedOn: string;
    day(at: Date, timeZone: string): string;
    seller: string;
    site: string;
    support: string;
  };
  links: {
    subject(purchases: number, productName: string): string;
    greeting(purchases: number): string;
    last(hours: number): string;
    keepPrivate: string;
    notYou: string;
  };
}
