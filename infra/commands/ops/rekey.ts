import { readSettings } from '../../../shared/config.ts';
import { rekeyLicenses } from '../../../shared/licenses/rekeying/rekeying.ts';
import { refuseArguments } from '../command-line.ts';
import type { Command } from './command.ts';
import { readStageSecrets } from './secrets/stage-secrets.ts';
import { findTable } from './targets.ts';

const keySettings = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS'] as const;

export const rekey: Command = {
  name: 'rekey',
  does: 'moves licenses to the current pepper; run it until nothing is left',
  async run(args) {
    refuseArguments(args, 'rekey');
    const table = await findTable();
    const settings = readSettings(keySettings, await readStageSecrets(keySettings));
    const { moved, finished, left, failures } = await rekeyLicenses({ table, now: () => new Date(), settings });
    console.log(`moved ${moved}, finished ${finished}, left ${left}`);
    for (const { licenseId, reason } of failures) console.log(`${licenseId} stays: ${reason}`);
    if (left > 0) console.log('Run this again in a minute. Retire the older peppers when nothing is left.');
  },
};
