import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * The part of Secrets Manager that tells of a secret without its value: each time a value is put, the version
 * before it becomes the previous one.
 */
export async function startSecretsStore() {
  /** How many values each secret has had. */
  const values = new Map<string, number>();
  const described: string[] = [];
  const server = createServer(async (request, response) => {
    const { SecretId } = (await json(request)) as { SecretId: string };
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    if (request.headers['x-amz-target'] !== 'secretsmanager.DescribeSecret') return answer(400, { __type: 'AccessDeniedException' });
    described.push(SecretId);
    const versions = values.get(SecretId);
    if (versions === undefined) return answer(400, { __type: 'ResourceNotFoundException' });
    const previous = versions > 1 ? { [`v${versions - 1}`]: ['AWSPREVIOUS'] } : {};
    return answer(200, { ARN: SecretId, VersionIdsToStages: { [`v${versions}`]: ['AWSCURRENT'], ...previous } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The secrets that were asked about. */
    described,
    /** Makes a secret with its generated value. */
    create: (arn: string) => values.set(arn, 1),
    put: (arn: string) => values.set(arn, (values.get(arn) ?? 0) + 1),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
