import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { edgeDefaults, readEdgeSettings } from '../../../infra/settings/edge-settings.ts';
import { constructAt } from '../../support/synthesized.ts';
import { everySetting } from '../../support/templates/stacks-at.ts';

test('the settings of the edge are in the table of them, with their defaults', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'infra/stacks/edge.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(EDGE_\w+)` +\| `?([^|`]+?)`? +\|/gm)].map(([, name, usual]) => [name, usual]);
  const required = ['EDGE_DOMAIN', 'EDGE_CERTIFICATE_ARN', 'EDGE_ORIGIN', 'PUBLIC_BASE_URL'] as const;
  const read = readEdgeSettings(Object.fromEntries(required.map((name) => [name, everySetting[name]]))) ?? {};
  const optional = Object.entries(read).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const expected = Object.entries(edgeDefaults).map(([name, usual]) => {
    if (name === 'EDGE_DOMAIN') return [name, 'no edge'];
    return [name, optional.includes(name) ? 'none' : usual || 'required'];
  });
  expect(rows).toEqual(expected);
});

test('the settings of the edge make nothing at stage local', async () => {
  expect((await constructAt('local', everySetting)).stacks.edge).toBeUndefined();
});
