import { useEffect, useState } from 'react'
import { adoptSaved, changedValues } from './changed-values'

interface VersionedForm<T> {
  values: T
  getValues: () => T
  getInitialValues: () => T
  setValues: (values: T) => void
  resetDirty: (values: T) => void
}
interface StoredForm<T> {
  version: number
  values: T
}

/**
 * The version that the changes in a form are made to, and how to take over what was saved, with changes of it that are
 * not. The form follows what is stored, until it has changes and somebody else has stored other values: then it stays at
 * its version, so that saving is a conflict.
 */
export function useStoredVersion<T extends object>(
  form: VersionedForm<T>,
  stored: StoredForm<T>,
): [number, (saved: StoredForm<T>, changes?: Partial<T>) => void] {
  const [version, setVersion] = useState(stored.version)
  const adopt = (saved: StoredForm<T>, changes: Partial<T> = {}): void => {
    adoptSaved(form, saved.values, { ...saved.values, ...changes })
    setVersion(saved.version)
  }
  const isSame = Object.keys(changedValues(stored.values, form.getInitialValues())).length === 0
  const isUnchanged = Object.keys(changedValues(form.values, form.getInitialValues())).length === 0
  if (stored.version > version && (isSame || isUnchanged)) setVersion(stored.version)
  useEffect(() => {
    if (stored.version !== version || isSame) return
    const changes = changedValues(form.getValues(), form.getInitialValues())
    adoptSaved(form, stored.values, { ...stored.values, ...changes })
  })
  return [version, adopt]
}
