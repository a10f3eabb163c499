import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { valid } from './scripted-service.ts';

/** A server at 127.0.0.1 that allows everything, with a certificate that nobody but itself has signed. */
export async function startUntrustedService() {
  let received = 0;
  const server = createServer(selfSigned(), (incoming, outgoing) => {
    received += 1;
    incoming.resume();
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(valid('activated')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    received: () => received,
    /** The status for a client that trusts everybody. */
    statusForCareless: () =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(address, { method: 'POST', rejectUnauthorized: false }, (reply) => resolve(reply.resume().statusCode));
        sent.on('error', reject).end('{}');
      }),
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An X.509 certificate for 127.0.0.1, valid until 2049. */
function selfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const name = der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('127.0.0.1')))));
  const validity = der(0x30, der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const address = der(0x30, Buffer.from('0603551d11', 'hex'), der(0x04, der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])))));
  const body = der(
    0x30,
    Buffer.from('a003020102', 'hex'),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, address)),
  );
  const certificate = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value of DER with its tag and length. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}
