import { type Html, html } from '../../../shared/html.ts';
import type { ReceivedRequest } from '../local-receiver.ts';
import { moment, table } from './local-page.ts';

/** The newest requests that the local receiver got, at most as many as asked for. */
export function receivedTable(received: readonly ReceivedRequest[], max: number): Html {
  if (received.length === 0) return html`<p class="note">Nothing was sent to it yet.</p>`;
  const rows = received.map(({ path, received_at, status, headers, body }) => [
    typeOf(body),
    headers['webhook-id'] ?? '',
    path,
    status,
    moment(received_at),
  ]);
  return table('Events', ['Type', 'webhook-id', 'Path', 'Answered', 'Received'], rows.reverse().slice(0, max));
}

function typeOf(body: string): string {
  try {
    const { type } = JSON.parse(body);
    return typeof type === 'string' ? type : 'no event';
  } catch {
    return 'no event';
  }
}
