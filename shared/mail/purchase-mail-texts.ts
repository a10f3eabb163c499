/** The texts of the purchase mail, one object per language. */
export interface PurchaseMailTexts {
  subject(productName: string): string;
  resentSubject(productName: string): string;
  greeting(productName: string): string;
  resentGreeting(productName: string): string;
  whatToDo: string;
  openPurchase: string;
  copyInstead: string;
  lasts(hours: number): string;
  keepPrivate: string;
  product: string;
  seller: string;
  support: string;
  notYou: string;
}
