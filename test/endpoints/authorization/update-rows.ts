import { expect } from '@jest/globals';
import { mintUpdateTicket } from '../../../shared/leases/update-ticket.ts';
import type { Marketplace, Shop } from '../../support/scenes/marketplace.ts';
import type { Row } from './rows.ts';

/** The path of a feed, proven by a ticket of the license that the shop sold. */
const feed =
  (ids: Record<string, string>) =>
  ({ product, license, device }: Shop, { settings, at }: Marketplace) => ({
    ids: { product_id: product.id, proof: mintUpdateTicket(settings.TOKEN_KEYS, license, device, new Date(at)).ticket, ...ids },
  });
const place = { channel: 'stable', platform: 'windows', arch: 'x64' };

/** As in the other rows: nothing was released, so that nothing is offered. */
export const updateRows: Record<string, Row> = {
  'updates: checkUpdate': { ask: feed(place), reply: () => ({ status: 200, json: { code: 'no_release' } }) },
  'updates: getAppcast': { ask: feed(place), reply: () => ({ status: 200, text: expect.stringContaining('<rss') }) },
  'updates: getTauriUpdate': {
    ask: feed({ channel: 'stable', target: 'windows', arch: 'x86_64', current_version: '1.0.0' }),
    reply: () => ({ status: 204, text: '' }),
  },
  'updates: getElectronFeed': {
    ask: feed({ file_name: 'latest.yml' }),
    reply: () => ({ status: 200, text: 'version: "0.0.0"\nfiles: []\n' }),
  },
  'updates: getVelopackFile': {
    ask: feed({ ...place, file_name: 'releases.win.json' }),
    reply: () => ({ status: 200, json: { Assets: [] } }),
  },
  'updates: getUpdateFile': {
    ask: feed({ version: '1.0.0', target: 'windows-x64', file_name: 'setup.exe' }),
    reply: () => ({ status: 404, json: { code: 'file_not_found', message: expect.any(String), request_id: expect.any(String) } }),
  },
};
