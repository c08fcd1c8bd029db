/** An instant in epoch milliseconds as ISO 8601 text in UTC. */
export const toIso = (instant: number): string => new Date(instant).toISOString()

export const toIsoOrNull = (instant: number | null): string | null => (instant === null ? null : toIso(instant))
