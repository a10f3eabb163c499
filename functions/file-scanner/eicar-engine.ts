import type { Engine } from './engine.ts';

/** In two pieces, so that no scanner reports this source file. */
const testVirus = Buffer.from(`${'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD'}${'-ANTIVIRUS-TEST-FILE!$H+H*'}`);

/**
 * The engine where none is configured: it finds the EICAR test file and nothing else, so
 * it must not be on TRUSTED_SCANNERS. See "Engines" in README.md.
 */
export function createEicarEngine(): Engine {
  return {
    name: 'eicar-only',
    async scan(_sizeBytes, open) {
      let tail: Buffer = Buffer.alloc(0);
      for await (const chunk of await open()) {
        const window = Buffer.concat([tail, chunk]);
        if (window.includes(testVirus)) return { verdict: 'infected', summary: 'EICAR test file' };
        tail = window.subarray(Math.max(0, window.length - testVirus.length + 1));
      }
      return { verdict: 'clean', summary: 'Not the EICAR test file; nothing else was looked for' };
    },
  };
}
