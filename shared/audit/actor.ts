import type { Write } from '../db/table.ts';

/** Who changes something, and what lets them. */
export interface Actor {
  userId: string;
  /**
   * What must hold besides when the change is written. To be asked once all that is named is known to
   * exist, and before its state is looked at.
   *
   * @throws AppError when the actor may change nothing now
   */
  rights(): readonly Write[];
}

/** An admin may change whatever an endpoint for admins changes. */
export const adminActor = (userId: string): Actor => ({ userId, rights: () => [] });
