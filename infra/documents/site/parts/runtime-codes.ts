import { type Html, html } from '../../../../shared/html.ts';
import { type RuntimeCode, runtimeCodes } from '../../../../shared/licenses/runtime-license.ts';

/** What each `code` of the runtime endpoints means, and what an app does about it. The type demands every code. */
const meanings: Record<RuntimeCode, { from: string; means: string; do: string }> = {
  valid: {
    from: 'validate',
    means: 'The license may be used.',
    do: 'Run. If device_activated is false, this device holds no seat: activate it.',
  },
  activated: { from: 'activate', means: 'This device took a seat just now.', do: 'Run.' },
  already_activated: { from: 'activate', means: 'This device had its seat already; nothing changed.', do: 'Run.' },
  deactivated: { from: 'deactivate', means: 'The seat is free again.', do: 'Forget the key on this device.' },
  not_activated: { from: 'deactivate', means: 'This device held no seat; nothing changed.', do: 'Forget the key on this device.' },
  license_key_malformed: {
    from: 'all three',
    means: 'There is no such key: by its check symbols it was mistyped, or a part of it is missing.',
    do: 'Ask the user to look at the key again, or to paste it.',
  },
  license_not_found: {
    from: 'all three',
    means: 'There is no such key for this product. It may be the key of another product.',
    do: 'Ask for the key of this product. If the key worked before, check the product_id in your build first.',
  },
  license_replaced: {
    from: 'all three',
    means: 'The buyer had this key replaced by a new one, because it leaked. It is the key of no license any more, and nothing is freed.',
    do: 'Lock, and ask for the new key: the buyer’s page shows it.',
  },
  license_revoked: {
    from: 'validate, activate',
    means: 'An admin took the license back for good.',
    do: 'Lock, and name the seller’s support address.',
  },
  license_refunded: { from: 'validate, activate', means: 'The buyer got the money back.', do: 'Lock, and offer to buy again.' },
  license_disputed: {
    from: 'validate, activate',
    means: 'The payment is disputed. If the dispute is won or withdrawn, the license comes back by itself.',
    do: 'Lock, keep the key and the user’s work, and go on validating.',
  },
  license_suspended: { from: 'validate, activate', means: 'The license is on hold.', do: 'Lock, keep the key, and go on validating.' },
  license_expired: { from: 'validate, activate', means: 'Its time is over; see expires_at.', do: 'Lock, and offer a renewal.' },
};

export function codesTable(): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Codes of the runtime endpoints">
<table>
<thead><tr><th scope="col">code</th><th scope="col">From</th><th scope="col">What it means</th><th scope="col">What your app does</th></tr></thead>
<tbody>${runtimeCodes.map((code) => {
    const { from, means, do: advice } = meanings[code];
    return html`<tr><th scope="row"><code>${code}</code></th><td>${from}</td><td>${means}</td><td>${advice}</td></tr>\n`;
  })}</tbody>
</table></div>`;
}
