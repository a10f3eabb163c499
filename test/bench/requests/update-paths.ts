import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { startUpdateScene } from '../../support/scenes/releases/update-scene.ts';
import { type Path, type Taken, takes } from './path.ts';

/** What updaters ask of a product with two releases, each with one file. */
export async function openUpdatePaths() {
  const client = createDynamoClient();
  const { table } = await createTestTable({ client });
  const scene = await startUpdateScene({ table, environment: { RATE_LIMIT_UPDATES: '60', RATE_LIMIT_UPDATE_DOWNLOAD: '60' } });
  for (const version of ['1.0.0', '1.1.0']) await scene.windows(version);
  const ticket = scene.ticketOf(await scene.license());
  const path = (
    name: string,
    budget: Taken,
    asked: string,
    { method = 'GET', proof = ticket, ...more }: Partial<Path> & { method?: string; proof?: string } = {},
  ): Path => ({
    ...more,
    name,
    budget,
    async go() {
      const { status, headers } = await scene.call(method, `${scene.base}/${proof}/${asked}`);
      return [status, headers['x-update-code']].filter(Boolean).join(' ');
    },
  });
  const check = 'check/stable/windows/x64?current=1.0.0';
  const file = 'Lumen-1.1.0-full.nupkg';
  const paths = [
    path('update check, first of an instance', takes(3, { reads: 8 }), check),
    path('update check', takes(2, { reads: 5 }), check),
    path('update check, after a new release', takes(3, { reads: 7 }), check, {
      prepare: async () => {
        await scene.windows('1.2.0');
      },
    }),
    path('update check, not proven', takes(2, { reads: 3 }), check, { proof: '-' }),
    path('appcast', takes(2, { reads: 5 }), 'appcast/stable/windows/x64'),
    path('update download', takes(3, { reads: 6, writes: 1 }), `files/1.1.0/windows-x64/${file}`),
    path('update download, by its name', takes(3, { reads: 7, writes: 1 }), `velopack/stable/windows/x64/${file}`),
    path('update download, its size', takes(2, { reads: 6 }), `files/1.1.0/windows-x64/${file}`, { method: 'HEAD' }),
  ];
  return { client, paths, stop: () => scene.stop() };
}
