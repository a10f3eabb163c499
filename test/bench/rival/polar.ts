import { inTransaction, prepared, type Rival } from './rival.ts';

/**
 * A minimal re-creation, not Polar itself: the statements that Polar makes to validate a license key for an activation
 * and to count the use, in one transaction, without what Python does between them. After `license_key/service.py`,
 * `license_key/repository.py` and `customer_portal/endpoints/license_keys.py` of github.com/polarsource/polar, August 2026. Keys are
 * kept in plain form there, and each validation locks the license's row and writes to it.
 */
export const polar: Rival = {
  async seed(pool, count) {
    await pool.query(tables);
    await pool.query(
      "INSERT INTO polar_customers SELECT md5('customer-' || n)::uuid, 'buyer-' || n FROM generate_series(0, $1::int - 1) AS n",
      [count],
    );
    await pool.query('INSERT INTO polar_benefits SELECT md5($1)::uuid, $2', ['benefit', '{"prefix": "EDITOR"}']);
    await pool.query(keys, [count]);
    await pool.query(activations, [count]);
    await pool.query('ANALYZE');
  },
  validations: {
    'Polar, 4 statements in a transaction': (pool, index) =>
      inTransaction(pool, async (client) => {
        const key = await findKey.first(client, 'organization', `KEY-${index}`);
        if (!key) return false;
        const locked = await lockKey.first(client, key['id']);
        const activation = await findActivation.first(client, key['activation_id'], key['id']);
        if (locked?.['status'] !== 'granted' || !activation) return false;
        await count.first(client, Number(locked['validations']) + 1, key['id']);
        return true;
      }),
  },
};

const tables = `
  CREATE TABLE polar_customers (id uuid PRIMARY KEY, name text NOT NULL);
  CREATE TABLE polar_benefits (id uuid PRIMARY KEY, properties jsonb NOT NULL);
  CREATE TABLE polar_keys (
    id uuid PRIMARY KEY, organization_id uuid NOT NULL, customer_id uuid NOT NULL, benefit_id uuid NOT NULL, key text NOT NULL,
    status text NOT NULL, limit_activations int, usage int NOT NULL, limit_usage int, validations int NOT NULL,
    last_validated_at timestamptz, expires_at timestamptz, modified_at timestamptz, deleted_at timestamptz,
    UNIQUE (organization_id, key)
  );
  CREATE TABLE polar_activations (
    id uuid PRIMARY KEY, key_id uuid NOT NULL, label text NOT NULL, conditions jsonb NOT NULL, deleted_at timestamptz
  );
  CREATE INDEX ON polar_activations (key_id);`;

const keys = `
  INSERT INTO polar_keys
  SELECT md5('key-' || n)::uuid, md5('organization')::uuid, md5('customer-' || n)::uuid, md5('benefit')::uuid, 'KEY-' || n,
    'granted', 3, 0, NULL, 0, NULL, now() + interval '1 year', NULL, NULL
  FROM generate_series(0, $1::int - 1) AS n`;
const activations = `
  INSERT INTO polar_activations SELECT md5('activation-' || n)::uuid, md5('key-' || n)::uuid, 'device', '{}', NULL
  FROM generate_series(0, $1::int - 1) AS n`;

const findKey = prepared(
  'polar-key',
  `SELECT k.*, c.name, b.properties, a.id AS activation_id, a.label FROM polar_keys k
   JOIN polar_customers c ON c.id = k.customer_id
   JOIN polar_benefits b ON b.id = k.benefit_id
   LEFT JOIN polar_activations a ON a.key_id = k.id AND a.deleted_at IS NULL
   WHERE k.organization_id = md5($1)::uuid AND k.key = $2 AND k.deleted_at IS NULL`,
);
const lockKey = prepared(
  'polar-lock',
  'SELECT status, expires_at, usage, limit_usage, validations FROM polar_keys WHERE id = $1 FOR UPDATE',
);
const findActivation = prepared('polar-activation', 'SELECT * FROM polar_activations WHERE id = $1 AND key_id = $2 AND deleted_at IS NULL');
const count = prepared(
  'polar-count',
  'UPDATE polar_keys SET validations = $1, last_validated_at = now(), modified_at = now() WHERE id = $2',
);
