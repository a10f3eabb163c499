import { amountStepOf } from '../../currencies.ts';
import { faultOf } from '../../faults/fault.ts';
import { invalidRequest } from '../../faults/invalid-request.ts';
import * as rules from '../../faults/rules.ts';
import type { LicenseIssuanceMode } from '../issuance-mode.ts';
import { hasUpdatesEnd } from '../update-terms.ts';
import type { AdditionPrices, UpgradeOffer } from './selling-terms.ts';

/** The most seats that a license may be sold with or grow to. */
export const maxSeats = 100_000;

/** The selling terms of a product after the seller's changes are applied. */
export interface MergedTerms {
  currency: string;
  licenseIssuanceMode: LicenseIssuanceMode;
  activationLimit: number;
  updatesDays: number;
  maxQuantity: number;
  additionPrices: AdditionPrices;
  upgradesFrom: readonly UpgradeOffer[];
}

/** Inconsistencies between a product's terms, each starting with the field's wire name. See README.md */
export function termFaults(merged: MergedTerms): string[] {
  const { currency, licenseIssuanceMode, activationLimit, updatesDays, maxQuantity, additionPrices, upgradesFrom } = merged;
  const step = amountStepOf(currency);
  const prices: [field: string, price: number | undefined][] = [
    ['addition_prices.seat', additionPrices.seat],
    ['addition_prices.updates', additionPrices.updates],
    ...upgradesFrom.map(({ priceAmount }, at): [string, number] => [`upgrades_from.${at}.price_amount`, priceAmount]),
  ];
  return [
    licenseIssuanceMode === 'imported_csv' && maxQuantity > 1 && faultOf('max_quantity', rules.severalImported),
    maxQuantity * activationLimit > maxSeats &&
      faultOf('max_quantity', rules.tooManySeats, { max: Math.floor(maxSeats / activationLimit) }),
    additionPrices.updates !== undefined && !hasUpdatesEnd(updatesDays) && faultOf('addition_prices.updates', rules.endlessUpdates),
    ...prices.map(([field, price = 0]) => price % step !== 0 && faultOf(field, rules.notChargeable, { step })),
  ].filter((fault) => fault !== false);
}

/** Prices of `before` that would be read in another currency than they were set in, as in `termFaults`. */
export function currencyFaults(before: MergedTerms, sent: Partial<MergedTerms>): string[] {
  const { currency = before.currency } = sent;
  if (currency.toUpperCase() === before.currency.toUpperCase()) return [];
  const stay = {
    addition_prices: sent.additionPrices === undefined && Object.keys(before.additionPrices).length > 0,
    upgrades_from: sent.upgradesFrom === undefined && before.upgradesFrom.length > 0,
  };
  return Object.entries(stay).flatMap(([field, stays]) => (stays ? faultOf(field, rules.otherCurrency) : []));
}

/** @throws AppError invalid_request saying of every field at fault what is wrong */
export function requireConsistentTerms<Terms extends MergedTerms>(merged: Terms, faults: readonly string[] = []): Terms {
  const all = faults.length > 0 ? faults : termFaults(merged);
  if (all.length > 0) throw invalidRequest(all);
  return merged;
}
