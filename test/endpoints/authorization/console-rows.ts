import { expect } from '@jest/globals';
import type { Row } from './rows.ts';

const page = (part: string) => ({ status: 200, text: expect.stringContaining(part) });

/** The console's own pages, which know nobody; where one signs in they cannot say without an issuer. */
export const consoleRows: Record<string, Row> = {
  'console: showConsole': { reply: () => page('data-role="seller"') },
  'console: showScreen': { ask: () => ({ ids: { path: 'admin' } }), reply: () => page('data-role="admin"') },
  'console: getConsoleConfig': {
    reply: () => ({
      status: 503,
      json: { code: 'dependency_unavailable', message: expect.any(String), request_id: expect.any(String) },
    }),
  },
  'console: getConsoleAsset': { ask: () => ({ ids: { name: 'icon.000000000000.svg' } }), reply: () => page('<svg') },
};
