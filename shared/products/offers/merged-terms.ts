import { stepOf } from '../../currencies.ts';
import { AppError } from '../../errors.ts';
import type { LicenseIssuanceMode } from '../issuance-mode.ts';
import { hasUpdatesEnd } from '../update-terms.ts';
import type { AdditionPrices, UpgradeOffer } from './selling-terms.ts';

/** The most seats that a license may be sold with or grow to. */
export const mostSeats = 100_000;

/** What a product is sold as, once what its seller sent is in the place of what it was. */
export interface MergedTerms {
  currency: string;
  licenseIssuanceMode: LicenseIssuanceMode;
  activationLimit: number;
  updatesDays: number;
  maxQuantity: number;
  additionPrices: AdditionPrices;
  upgradesFrom: readonly UpgradeOffer[];
}

/** What is wrong between the terms of a product, each beginning with the field's name on the wire. See README.md */
export function faultsOfTerms(merged: MergedTerms): string[] {
  const { currency, licenseIssuanceMode, activationLimit, updatesDays, maxQuantity, additionPrices, upgradesFrom } = merged;
  const step = stepOf(currency);
  const prices: [field: string, price: number | undefined][] = [
    ['addition_prices.seat', additionPrices.seat],
    ['addition_prices.updates', additionPrices.updates],
    ...upgradesFrom.map(({ priceAmount }, at): [string, number] => [`upgrades_from.${at}.price_amount`, priceAmount]),
  ];
  return [
    licenseIssuanceMode === 'imported_csv' && maxQuantity > 1 && 'max_quantity must be 1 where license_issuance_mode is imported_csv',
    maxQuantity * activationLimit > mostSeats &&
      `max_quantity must be at most ${Math.floor(mostSeats / activationLimit)} with this activation_limit`,
    additionPrices.updates !== undefined &&
      !hasUpdatesEnd(updatesDays) &&
      'addition_prices.updates must be left out where updates_days is without end',
    ...prices.map(([field, price = 0]) => price % step !== 0 && `${field} must be a multiple of ${step} in this currency`),
  ].filter((fault) => fault !== false);
}

/** Prices of `before` that would be read in another currency than they were set in, as in `faultsOfTerms`. */
export function faultsOfCurrency(before: MergedTerms, sent: Partial<MergedTerms>): string[] {
  const { currency = before.currency } = sent;
  if (currency.toUpperCase() === before.currency.toUpperCase()) return [];
  const stay = {
    addition_prices: sent.additionPrices === undefined && Object.keys(before.additionPrices).length > 0,
    upgrades_from: sent.upgradesFrom === undefined && before.upgradesFrom.length > 0,
  };
  return Object.entries(stay).flatMap(([field, stays]) => (stays ? `${field} must be given anew with another currency` : []));
}

/** @throws AppError invalid_request saying of every field at fault what is wrong */
export function requireFitTerms<Terms extends MergedTerms>(merged: Terms, faults: readonly string[] = []): Terms {
  const all = faults.length > 0 ? faults : faultsOfTerms(merged);
  if (all.length > 0) throw new AppError('invalid_request', all.join('; '));
  return merged;
}
