/*
 * Hears what happens at the license service. Needs Node 22.18 or newer.
 *
 *   npm install standardwebhooks@1.1.1 && npm pkg set type=module
 *   WEBHOOK_SECRET=whsec_... PORT=8080 node receiver.ts
 *
 * In front of it something of yours speaks https on port 443.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';

interface Event {
  type: string;
  timestamp: string;
  data: Record<string, string | number>;
}

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
const longest = 65_536;
/** The ids of what was heard. Keep them in your database, and the event with them, before you answer. */
const heard = new Set<string>();

/** What you do about each: keep books, tell your forum, call someone. Here it is said. */
const reactions: Record<string, string> = {
  'license.issued': 'License {license_id} was issued: {status}',
  'license.status_changed': 'License {license_id} was {previous_status}: {status}',
  'license.changed': 'License {license_id} was changed: {cause}',
  'order.paid': 'Order {order_id} was paid: {amount} {currency}',
  'order.refunded': 'Order {order_id} was refunded: {amount_refunded} {currency}',
  'order.disputed': 'Order {order_id} is disputed: {amount} {currency}',
  'order.dispute_closed': 'Order {order_id} is disputed no more: {outcome}',
  'activation.created': 'License {license_id} has devices: {activation_count}',
  'activation.released': 'License {license_id} has fewer devices: {activation_count}',
  'activation.refused': 'License {license_id} refused a device: {code}',
  'product.reviewed': 'Product {product_id} was reviewed: {decision}',
  'product_file.reviewed': 'File {file_id} was reviewed: {decision}',
  'release.reviewed': 'Release {version} was reviewed: {status}',
  'release.published': 'Release {version} is out: {status}',
  'release.yanked': 'Release {version} was withdrawn: {status}',
  test: 'Endpoint {endpoint_id} is reached',
};

/** The status of the reply. What is not ours gets 400, and leaves no trace. */
async function receive(request: IncomingMessage): Promise<number> {
  let body = Buffer.alloc(0);
  for await (const chunk of request) {
    body = Buffer.concat([body, chunk]);
    if (body.length > longest) return 413;
  }
  const header = (name: string) => String(request.headers[name] ?? '');
  const id = header('webhook-id');
  const signed = { 'webhook-id': id, 'webhook-timestamp': header('webhook-timestamp'), 'webhook-signature': header('webhook-signature') };
  try {
    webhook.verify(body, signed);
  } catch {
    return 400;
  }
  if (!heard.has(id)) setImmediate(react, JSON.parse(body.toString()));
  heard.add(id);
  return 204;
}

/** After the answer, which must not wait for it. Types that you do not know may come one day. */
function react({ type, data = {} }: Event): void {
  const reaction = reactions[type] ?? `Nothing to do: ${type}`;
  console.log(reaction.replaceAll(/{(\w+)}/g, (_, name) => String(data[name])));
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status, { connection: 'close' }).end(),
    () => response.destroy(),
  );
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log('Listening:', server.address()));
