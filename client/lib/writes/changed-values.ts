/**
 * What of a form's values differs from what they were before. Sent alone, it leaves the rest as it is stored, also where
 * another window has changed it meanwhile.
 */
export function changedValues<T extends object>(values: T, before: T): Partial<T> {
  const changed: Partial<T> = {}
  for (const key in values) if (JSON.stringify(values[key]) !== JSON.stringify(before[key])) changed[key] = values[key]
  return changed
}
