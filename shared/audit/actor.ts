import type { Write } from '../db/table.ts';

/** Who makes a change, and the conditions under which they may. */
export interface Actor {
  /** What audit records call them. */
  name: string;
  role: 'seller' | 'admin';
  /**
   * Condition checks to be committed with the change. Call it after everything named is known to exist and before
   * looking at its state.
   *
   * @throws AppError when the actor may change nothing now
   */
  writeConditions(): readonly Write[];
}

/** An admin may change whatever an endpoint for admins changes. */
export const adminActor = (name: string): Actor => ({ name, role: 'admin', writeConditions: () => [] });
