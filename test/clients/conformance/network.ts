import { describe, expect, test } from '@jest/globals';
import { byLease, type ClientUnderTest, key, unreachable } from './client-under-test.ts';
import { granted, pausesBetween, refused, type ScriptedReply, startScriptedService, valid } from './scripted-service.ts';
import { startUntrustedService } from './untrusted-service.ts';

/** How a client gets to a reply, and what is none. */
export function describeNetwork({ newDevice, activatedDevice, waitingTest, language }: ClientUnderTest): void {
  describe('the network', () => {
    const html = '<!doctype html><title>Please log in</title>';
    const hugeReply = { ...valid('activated'), padding: 'x'.repeat(1024 ** 2) };
    const notReplies: [string, ScriptedReply][] = [
      ['503', refused(503, 'unavailable')],
      ['500 in HTML', { status: 500, body: html }],
      ['429', refused(429, 'rate_limited')],
      ['a page in HTML with status 200', { body: html }],
      ['a list', { body: '[]' }],
      ['nothing', { body: '' }],
      ['a valid that is a text', { body: { valid: 'true', code: 'activated' } }],
      ['no code', { body: { valid: true } }],
      ['a name in other letters', { body: { Valid: true, Code: 'activated' } }],
      ['valid with status 201', { status: 201, body: valid('activated') }],
      ['a reply of 1 MB', { body: hugeReply }],
      ['a reply of 1 MB, most of it spaces', { body: JSON.stringify(valid('activated')) + ' '.repeat(1024 ** 2) }],
    ];

    waitingTest('what is not a reply of the service is asked three times at most, with pauses that grow, and decides nothing', async () => {
      const outcomes = await Promise.all(
        notReplies.map(async ([name, reply]) => {
          const device = await newDevice();
          device.service.replyWith(reply);
          const status = await device.activate(key);
          const [first = 0, second = 0, ...more] = pausesBetween(device.service.requests);
          return { name, status, pauses: [first >= 499, second >= 999, ...more] };
        }),
      );
      const expected = { status: { ...unreachable, ask_online: true }, pauses: [true, true] };
      expect(outcomes).toEqual(notReplies.map(([name]) => ({ name, ...expected })));
    });

    waitingTest('it goes by the lease when the service does not reply, and an attempt that is answered ends the others', async () => {
      const device = await activatedDevice();
      const accept = granted(device.service.address, 'valid');
      device.service.replyWith({ status: 502, body: html });
      expect(await device.check()).toMatchObject({ ...byLease, code: 'lease_valid', ask_online: true });
      device.service.replyWith((request, count) => (count === 5 ? { status: 502 } : accept(request, count)));
      expect(await device.check()).toMatchObject({ allowed: true, code: 'valid', source: 'service' });
      expect(device.service.requests).toHaveLength(6);
    });

    waitingTest('Retry-After is waited for when it is short, and ends the attempts when it is long', async () => {
      const [patient, ...impatient] = await Promise.all(
        [
          refused(429, 'rate_limited'),
          { ...refused(429, 'rate_limited'), headers: { 'retry-after': '3600' } },
          { status: 503, body: html, headers: { 'retry-after': '6' } },
          { status: 503, headers: { 'retry-after': '9'.repeat(30) } },
        ].map(async (reply, index) => {
          const device = await newDevice();
          const accept = granted(device.service.address, 'activated');
          const short = { ...reply, headers: { 'retry-after': '2' } };
          device.service.replyWith((request, count) => (index > 0 ? reply : count === 1 ? short : accept(request, count)));
          return { status: await device.activate(key), pauses: pausesBetween(device.service.requests) };
        }),
      );
      expect(patient?.status).toMatchObject({ allowed: true, code: 'activated' });
      expect(patient?.pauses).toEqual([expect.any(Number)]);
      expect(patient?.pauses[0]).toBeGreaterThanOrEqual(1999);
      for (const { status, pauses } of impatient) {
        expect(status).toMatchObject({ allowed: false, code: 'unreachable' });
        expect(pauses).toEqual([]);
      }
    });

    waitingTest('a redirect is not followed: the key reaches no other host', async () => {
      const other = await startScriptedService();
      other.replyWith({ body: valid('activated') });
      const outcomes = await Promise.all(
        [302, 307, 308].map(async (status) => {
          const device = await newDevice();
          device.service.replyWith({ status, headers: { location: `${other.address}/v1/licenses/activate` } });
          return device.activate(key);
        }),
      );
      await other.stop();
      expect(outcomes).toEqual(Array(3).fill({ ...unreachable, ask_online: true }));
      expect(other.requests).toEqual([]);
    });

    waitingTest('a reply without end is read no further than the service ever writes', async () => {
      const device = await newDevice();
      device.service.replyWith({ floods: true });
      expect(await device.activate(key)).toEqual({ ...unreachable, ask_online: true });
      // What the machine itself holds back on the way counts, too.
      expect(device.service.requests.map(({ taken = 64 }) => taken < 32)).toEqual([true, true, true]);
    });

    waitingTest('a certificate that the system does not trust is not accepted: the key is not sent', async () => {
      const untrusted = await startUntrustedService();
      const device = await newDevice();
      const status = await device.with({ LICENSE_BASE_URL: untrusted.address }).activate(key);
      const received = untrusted.received();
      const statusForCareless = await untrusted.statusForCareless();
      await untrusted.stop();
      expect({ status, received, statusForCareless }).toEqual({
        status: { ...unreachable, ask_online: true },
        received: 0,
        statusForCareless: 200,
      });
    });

    test('requests go through the proxy of the system', async () => {
      const device = await newDevice();
      // A made-up name, for a client may spare this machine itself the way through the proxy.
      const address = 'http://licenses.example.test';
      device.service.replyWith(granted(address, 'activated'));
      const app = device.with({ ...language.proxySettings(device.service.address), LICENSE_BASE_URL: `${address}//` });
      expect(await app.activate(key)).toMatchObject({ allowed: true, code: 'activated', until: expect.any(Number) });
      expect(device.service.viaProxy).toEqual([expect.stringMatching(/^licenses\.example\.test(:80)?$/)]);
    });

    waitingTest('an attempt ends after ten seconds, whether nothing comes or only drops, and the next may succeed', async () => {
      await Promise.all(
        [{ hangs: true }, { drips: true }].map(async (reply) => {
          const device = await newDevice();
          const accept = granted(device.service.address, 'activated');
          device.service.replyWith((request, count) => (count === 1 ? reply : accept(request, count)));
          const begun = Date.now();
          expect(await device.activate(key)).toMatchObject({ allowed: true, code: 'activated' });
          const [, second = 0, ...more] = device.service.requests.map(({ at }) => at);
          expect(more).toEqual([]);
          // Not since the first request came: on a busy machine that is some time after its attempt began.
          expect(second - begun).toBeGreaterThanOrEqual(10_400);
        }),
      );
    });
  });
}
