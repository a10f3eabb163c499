import { html } from '../../../../shared/html.ts';
import type { Section } from './section.ts';

export const fingerprints: Section = {
  id: 'fingerprints',
  title: 'Good fingerprints',
  body: html`<p>A seat belongs to a fingerprint. If it changes by itself, a paying user loses seats and writes to support; if two devices
share one, they share a seat.</p>
<ul>
<li><strong>Draw it at random once,</strong> with the system’s secure generator: a UUID version 4 is right. It may be up to 512 characters of anything but NUL.</li>
<li><strong>Do not build it from hardware.</strong> Network addresses, disk serials and processor ids change with a dock, a repair, a virtual machine or an update, collide in cloned images, and are personal data in many countries.</li>
<li><strong>Store it where updates and a reinstallation keep it:</strong> <code>~/Library/Application Support</code> or the keychain on macOS, <code>%LOCALAPPDATA%</code> (not the roaming profile) or <code>HKEY_CURRENT_USER</code> on Windows, <code>$XDG_STATE_HOME</code> on Linux, the app’s own storage on a phone.</li>
<li><strong>Keep it out of what is copied to other devices:</strong> cloud folders, synchronized settings, device-to-device migration, container and machine images. In a container or on a build machine give it in by configuration.</li>
<li><strong>One per device and user account</strong> is what most buyers expect. If all users of a machine are to share a seat, store it for the machine.</li>
<li><strong>Write it before you activate,</strong> and read it back. A device that activates and then fails to store its fingerprint takes a second seat at the next start.</li>
<li><strong>Deactivate at uninstall</strong> where you can; then a lost fingerprint costs nothing.</li>
</ul>
<p>We keep only a hash of it, keyed by the license key: it cannot be turned back, and the same device cannot be recognised across licenses.
Send a <code>device_label</code> that the user knows the device by: it is how a lost device is told from the others. Only the buyer and our admins ever see it.</p>`,
};
