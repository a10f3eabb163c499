import type { Transaction } from '../store/provider-store.ts';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The object with this id. */
function resolve(tx: Transaction, id: string): object | undefined {
  return (
    tx.find('paymentIntent', id) ??
    tx.find('charge', id) ??
    tx.find('dispute', id) ??
    tx.find('refund', id) ??
    tx.find('session', id)?.session
  );
}

/** `object` with what `expand[]` names: `latest_charge`, `payment_intent.latest_charge`, `data.charge` in lists. */
export function expand(tx: Transaction, object: object, wanted: unknown): object {
  const paths = Array.isArray(wanted) ? wanted.filter((path) => typeof path === 'string').map((path) => path.split('.')) : [];
  const expanded = { ...object };
  for (const path of paths) Object.assign(expanded, expandPath(tx, expanded, path));
  return expanded;
}

function expandPath(tx: Transaction, value: unknown, [name, ...rest]: readonly string[]): Fields {
  if (!isFields(value) || name === undefined) return {};
  const field = value[name];
  if (Array.isArray(field)) {
    return { [name]: field.map((one) => (isFields(one) ? { ...one, ...expandPath(tx, one, rest) } : one)) };
  }
  const found = typeof field === 'string' ? resolve(tx, field) : field;
  if (found === undefined) return {};
  return { [name]: rest.length > 0 && isFields(found) ? { ...found, ...expandPath(tx, found, rest) } : found };
}
