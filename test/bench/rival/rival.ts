import type { Pool, PoolClient } from 'pg';

/** A license server whose validation was made again, with as many licenses as `seed` was told, each with one device. */
export interface Rival {
  /** Makes its tables, with `count` licenses. */
  seed(pool: Pool, count: number): Promise<void>;
  /** What is measured, by name. Each answers whether the license with this number may run on its device. */
  validations: Record<string, (pool: Pool, index: number) => Promise<boolean>>;
}

/** A statement that each connection prepares once, by its name. */
export const prepared = (name: string, text: string) => ({
  async first(connection: Pool | PoolClient, ...values: unknown[]): Promise<Record<string, unknown> | undefined> {
    return (await connection.query({ name, text, values })).rows[0];
  },
});

/** The work in one transaction of one connection. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
