import { readSettings } from '../../../shared/config.ts';
import { createLicenseRepository } from '../../../shared/licenses/license-repository.ts';
import { createLicenseMoveRepository } from '../../../shared/licenses/rekeying/license-move-repository.ts';
import { createRekeying } from '../../../shared/licenses/rekeying/rekeying.ts';
import { createReplacedKeyRepository } from '../../../shared/licenses/replaced-key-repository.ts';
import { refuseArguments } from '../command-line.ts';
import type { Command } from './command.ts';
import { findTable, readStageSecrets } from './where.ts';

const keySettings = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS'] as const;

export const rekey: Command = {
  name: 'rekey',
  does: 'moves licenses to the current pepper; run it until nothing is left',
  async run(args) {
    refuseArguments(args, 'rekey');
    await rekeyLicenses();
  },
};

async function rekeyLicenses(): Promise<void> {
  const table = await findTable();
  const { LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys } = readSettings(keySettings, await readStageSecrets(keySettings));
  const rekeying = createRekeying({
    table,
    licenses: createLicenseRepository({ table }),
    moves: createLicenseMoveRepository({ table }),
    replacedKeys: createReplacedKeyRepository({ table }),
    peppers,
    encryptionKeys,
  });
  const { moved, finished, left, failures } = await rekeying.rekeyLicenses();
  console.log(`moved ${moved}, finished ${finished}, left ${left}`);
  for (const { licenseId, reason } of failures) console.log(`${licenseId} stays: ${reason}`);
  if (left > 0) console.log('Run this again in a minute. Retire the older peppers when nothing is left.');
}
