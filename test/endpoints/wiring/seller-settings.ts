import { expect } from '@jest/globals';
import { newId } from '../../../shared/ids.ts';
import { type Call, d } from './setting-effects.ts';

/** A user who has applied just now. */
export async function newSeller(call: Call) {
  const headers = { 'X-User-ID': newId('seller') };
  const body = { display_name: 'New', contact_email: 'a@example.com', support_email: 'a@example.com', site_url: 'https://a.example' };
  const reply = await call('POST', '/v1/sellers', { headers, body });
  expect(reply.status).toBe(201);
  return reply.json;
}

/** A user who has applied, and what the provider was asked when they went to connect an account. */
export async function connectAccount(call: Call) {
  const headers = { 'X-User-ID': (await newSeller(call)).owner_user_id };
  const before = d.provider.received.length;
  await call('POST', '/v1/sellers/payment/account-link', { headers });
  const asked = d.provider.received.slice(before);
  const account = asked.find(({ url }) => url.endsWith('/accounts'));
  const link = asked.find(({ url }) => url.endsWith('/account_links'));
  return { account: JSON.parse(account?.body ?? '{}'), link: JSON.parse(link?.body ?? '{}'), authorization: asked[0]?.authorization };
}

/** Where the provider is to send a seller: one whose link had ended, and one who is done. */
export async function backLinks(call: Call) {
  const { refresh_url, return_url } = (await connectAccount(call)).link.use_case.account_onboarding;
  return [refresh_url, return_url];
}
