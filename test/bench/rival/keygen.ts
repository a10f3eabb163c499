import type { Pool } from 'pg';
import { inTransaction, prepared, type Rival } from './rival.ts';

/**
 * A minimal re-creation, not Keygen itself: the statements that Keygen makes to validate a license by its key for a
 * fingerprint, asked by a product's token, without what Ruby does between them and without its jobs for logs and webhooks. After
 * `validations_controller.rb`, `license_validation_service.rb`, `license_key_lookup_service.rb` and `touch_license_worker.rb` of
 * github.com/keygen-sh/keygen-api, June 2026. The account is left out: Keygen caches it for a quarter of an hour.
 * `last_validated_at` is touched by a job after the answer; here it is measured as a variant that waits for it.
 */
export const keygen: Rival = {
  async seed(pool, count) {
    await pool.query(tables);
    await pool.query('INSERT INTO products SELECT md5($1)::uuid, md5($2)::uuid, $3', ['product', 'account', 'Editor']);
    await pool.query('INSERT INTO policies SELECT md5($1)::uuid, md5($2)::uuid, true, true, 3, false', ['policy', 'product']);
    await pool.query('INSERT INTO tokens SELECT md5($1)::uuid, md5($2)::uuid, NULL, $3, md5($4)::uuid', [
      'token',
      'account',
      'digest',
      'product',
    ]);
    await pool.query('INSERT INTO entitlements SELECT md5($1)::uuid, md5($2)::uuid, $3', ['entitlement', 'account', 'pro']);
    await pool.query('INSERT INTO policy_entitlements SELECT md5($1)::uuid, md5($2)::uuid', ['policy', 'entitlement']);
    await pool.query(licenses, [count]);
    await pool.query(machines, [count]);
    await pool.query('ANALYZE');
  },
  validations: {
    'Keygen, 7 statements': validate,
    'Keygen, with the touch': async (pool, index) => (await validate(pool, index)) && touch(pool, index),
  },
};

const tables = `
  CREATE TABLE products (id uuid PRIMARY KEY, account_id uuid NOT NULL, name text NOT NULL);
  CREATE TABLE policies (id uuid PRIMARY KEY, product_id uuid NOT NULL, strict boolean, floating boolean, max_machines int, require_heartbeat boolean);
  CREATE TABLE tokens (id uuid PRIMARY KEY, account_id uuid NOT NULL, environment_id uuid, digest text UNIQUE, bearer_id uuid);
  CREATE TABLE entitlements (id uuid PRIMARY KEY, account_id uuid NOT NULL, code text NOT NULL);
  CREATE TABLE policy_entitlements (policy_id uuid NOT NULL, entitlement_id uuid NOT NULL);
  CREATE TABLE license_entitlements (license_id uuid NOT NULL, entitlement_id uuid NOT NULL);
  CREATE INDEX ON policy_entitlements (policy_id);
  CREATE INDEX ON license_entitlements (license_id);
  CREATE TABLE licenses (
    id uuid PRIMARY KEY, account_id uuid NOT NULL, environment_id uuid, product_id uuid NOT NULL, policy_id uuid NOT NULL,
    key text NOT NULL, expiry timestamp, suspended boolean NOT NULL, machines_count int NOT NULL, metadata jsonb,
    last_validated_at timestamp, updated_at timestamp NOT NULL
  );
  CREATE UNIQUE INDEX ON licenses (account_id, md5(key));
  CREATE INDEX ON licenses USING hash (key);
  CREATE INDEX ON licenses (last_validated_at);
  CREATE TABLE machines (
    id uuid PRIMARY KEY, account_id uuid NOT NULL, license_id uuid NOT NULL, policy_id uuid NOT NULL,
    fingerprint text NOT NULL, last_heartbeat_at timestamp, created_at timestamp NOT NULL
  );
  CREATE UNIQUE INDEX ON machines (license_id, md5(fingerprint));`;

const licenses = `
  INSERT INTO licenses
  SELECT md5('license-' || n)::uuid, md5('account')::uuid, NULL, md5('product')::uuid, md5('policy')::uuid, 'key-' || md5(n::text),
    now() + interval '1 year', false, 1, '{"order": "1"}', NULL, now()
  FROM generate_series(0, $1::int - 1) AS n`;
const machines = `
  INSERT INTO machines
  SELECT md5('machine-' || n)::uuid, md5('account')::uuid, md5('license-' || n)::uuid, md5('policy')::uuid, 'device', NULL, now()
  FROM generate_series(0, $1::int - 1) AS n`;

const account = "md5('account')::uuid";
const findToken = prepared('keygen-token', `SELECT * FROM tokens WHERE account_id = ${account} AND digest = $1 AND environment_id IS NULL`);
const findBearer = prepared('keygen-bearer', `SELECT * FROM products WHERE account_id = ${account} AND id = $1`);
const findLicense = prepared(
  'keygen-license',
  `SELECT * FROM licenses WHERE account_id = ${account} AND environment_id IS NULL AND key = 'key-' || md5($1) LIMIT 1`,
);
const findPolicy = prepared('keygen-policy', 'SELECT * FROM policies WHERE id = $1');
const countEntitlements = prepared(
  'keygen-entitlements',
  `SELECT count(DISTINCT e.id)::int AS count FROM entitlements e
   LEFT JOIN policy_entitlements p ON p.entitlement_id = e.id
   LEFT JOIN license_entitlements l ON l.entitlement_id = e.id
   WHERE e.account_id = ${account} AND (p.policy_id = $1 OR l.license_id = $2) AND e.code = $3`,
);
const machinesOf = (name: string, heartbeat: string) =>
  prepared(
    name,
    `SELECT count(*)::int AS count FROM machines m JOIN policies p ON p.id = m.policy_id
     WHERE m.license_id = $1 AND m.fingerprint = $2 AND ${heartbeat}`,
  );
const countDead = machinesOf(
  'keygen-dead',
  "((m.last_heartbeat_at IS NULL AND p.require_heartbeat AND m.created_at < now() - interval '10 minutes')" +
    " OR m.last_heartbeat_at < now() - interval '10 minutes')",
);
const countAlive = machinesOf(
  'keygen-alive',
  "((m.last_heartbeat_at IS NULL AND NOT p.require_heartbeat) OR m.created_at >= now() - interval '10 minutes'" +
    " OR m.last_heartbeat_at >= now() - interval '10 minutes')",
);
const lockLicense = prepared('keygen-lock', "SELECT * FROM licenses WHERE key = 'key-' || md5($1) FOR UPDATE SKIP LOCKED");
const touchLicense = prepared('keygen-touch', 'UPDATE licenses SET last_validated_at = now(), updated_at = now() WHERE id = $1');

async function validate(pool: Pool, index: number): Promise<boolean> {
  const token = await findToken.first(pool, 'digest');
  const bearer = token && (await findBearer.first(pool, token['bearer_id']));
  const license = await findLicense.first(pool, String(index));
  if (!bearer || !license || license['suspended'] === true || license['product_id'] !== bearer['id']) return false;
  const policy = await findPolicy.first(pool, license['policy_id']);
  const entitlements = await countEntitlements.first(pool, license['policy_id'], license['id'], 'pro');
  const dead = await countDead.first(pool, license['id'], 'device');
  const alive = await countAlive.first(pool, license['id'], 'device');
  return policy?.['strict'] === true && entitlements?.['count'] === 1 && dead?.['count'] === 0 && alive?.['count'] === 1;
}

/** Sheds concurrent touches of one license, as Keygen does. */
const touch = (pool: Pool, index: number): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const license = await lockLicense.first(client, String(index));
    if (license) await touchLicense.first(client, license['id']);
    return true;
  });
