import { hostname } from 'node:os';
import jwks from './jwks.json' with { type: 'json' };
import { LicenseClient } from './license-client.js';

const client = new LicenseClient({
  baseUrl: 'https://api.example.com',
  productId: 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JK',
  keys: jwks.keys,
  appName: 'Photo Studio',
  deviceLabel: hostname(),
  // allowTestKeys: true, // in your own builds alone
});
const [key] = process.argv.slice(2);
const status = key ? await client.activate(key) : await client.check();
console.log(status.message);
process.exitCode = status.allowed ? 0 : 1;
