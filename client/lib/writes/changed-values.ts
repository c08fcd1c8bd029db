/**
 * What of a form's values differs from what they were before. Sent alone, it leaves the rest as it is stored, also where
 * another window has changed it meanwhile.
 */
export function changedValues<T extends object>(values: T, before: T): Partial<T> {
  const changed: Partial<T> = {}
  for (const key in values) if (JSON.stringify(values[key]) !== JSON.stringify(before[key])) changed[key] = values[key]
  return changed
}

interface AdoptingForm<T> {
  setValues: (values: T) => void
  resetDirty: (values: T) => void
}

/** Takes over what is stored now: a form that shows it is unchanged. `shown`: with what is entered and not saved yet. */
export function adoptSaved<T>(form: AdoptingForm<T>, saved: T, shown: T = saved): void {
  form.setValues(shown)
  // The library marks each field that was typed in as changed, also from a value that is no longer the stored one.
  form.resetDirty(saved)
}
