import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, clients, drivers, type Language } from './language.ts';
import { startResident } from './resident.ts';

export const pythonPath = process.env['PYTHON_PATH'] ?? '/usr/bin/python3';

export const python: Language = {
  name: 'Python',
  needs: ['python3-cryptography'],
  isInstalled: () => existsSync(pythonPath) && answers(pythonPath, '-c', 'import cryptography'),
  async prepare(folder) {
    await copyFile(join(clients, 'license_client.py'), join(folder, 'license_client.py'));
    await copyFile(join(drivers, 'python', 'main.py'), join(folder, 'main.py'));
    return startResident([pythonPath, join(folder, 'main.py')]);
  },
  proxySettings: (proxy) => ({ HTTP_PROXY: proxy }),
};
