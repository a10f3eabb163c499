/** So many days of updates mean that they have no end; what products, orders and licenses have that were made before updates had one. */
export const endlessUpdatesDays = 36_500;

/** Whether a license of these terms is owed updates for a time only. */
export const hasUpdatesEnd = (updatesDays: number): boolean => updatesDays < endlessUpdatesDays;
