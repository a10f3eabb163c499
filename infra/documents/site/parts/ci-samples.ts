import { type Html, html } from '../../../../shared/html.ts';
import { sample } from '../languages.ts';
import { codeBlock } from '../section.ts';

/** How a token is made. */
export const token = `{
  "name": "GitHub Actions",
  "scopes": ["releases:read", "releases:write"],
  "product_ids": ["prd_01KG9T3W6P9RA5Y8S4C7E1G2JK"],
  "expires_in_days": 180
}`;

const release = `{
  "critical": false,
  "artifacts": [
    {
      "file": "dist/photo-studio.dmg", "platform": "macos", "arch": "any", "kind": "full",
      "feeds": ["appcast"], "build": "120", "minimum_os": "13.0", "ed25519_signature": "…"
    },
    { "file": "dist/photo-studio-setup.exe", "platform": "windows", "arch": "x64", "kind": "full", "feeds": ["electron"] },
    { "file": "dist/photo-studio.AppImage", "platform": "linux", "arch": "x64", "kind": "full", "feeds": ["electron"] }
  ]
}`;

/** What a repository needs to hand in its releases: the files to copy, and one that its build writes. */
export const ciSamples: Html = html`${codeBlock(
  'sh',
  `mkdir -p .github/workflows
curl -fsS -o .github/release.sh https://api.example.com/clients/release.sh
curl -fsS -o .github/workflows/release.yml https://api.example.com/clients/release.yml`,
)}
${codeBlock('.github/workflows/release.yml', sample('release.yml'))}
${codeBlock('release.json', release)}
<details class="language">
<summary><code>release.sh</code></summary>
${codeBlock('.github/release.sh', sample('release.sh'))}
</details>`;
