/** The texts of the mail about one purchase, and of the mail with fresh links to all of them; one object per language. */
export interface PurchaseMailTexts {
  subject(productName: string): string;
  greeting(productName: string): string;
  whatToDo: string;
  openPurchase: string;
  copyInstead: string;
  lasts(hours: number): string;
  keepPrivate: string;
  product: string;
  seller: string;
  support: string;
  notYou: string;
  links: {
    subject(purchases: number, productName: string): string;
    greeting(purchases: number): string;
    boughtOn: string;
    last(hours: number): string;
    keepPrivate: string;
    notYou: string;
  };
}
