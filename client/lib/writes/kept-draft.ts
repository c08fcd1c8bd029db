import { useEffect, useMemo, useRef, useState } from 'react'
import { session } from '../session'
import { changedValues } from './changed-values'
import { markInputSaved } from './unsaved-input'

/** Ms between the last change and its being kept: typing does not write at every letter. */
export const KEEP_DELAY_MS = 300
const DAYS_KEPT = 7
const PREFIX = 'insikt-draft:'
const TAB_PREFIX = 'insikt-'

/** Unsaved work as this browser keeps it. */
export interface StoredDraft<T> {
  /** ISO time of the last change. */
  savedAt: string
  /** The build that wrote it: another one may hold other fields. */
  release: string
  /** What the work began from, such as the version of what is edited. */
  base: string | null
  value: T
}

const keyOfPerson = (userId: string): string => `${PREFIX}${userId}:`
/** Of one person in one workspace, so that nobody else on the machine is shown it; null while nobody is signed in. */
function storageKey(name: string): string | null {
  const { user, workspace } = session()
  return user && `${keyOfPerson(user.id)}${workspace?.id}:${name}`
}

const isYoung = ({ savedAt }: StoredDraft<unknown>): boolean =>
  Date.now() - Date.parse(savedAt) < DAYS_KEPT * 86_400_000

function parseDraft<T>(key: string): StoredDraft<T> | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
/** The kept draft under this key; null when there is none, or one of an earlier build or week. */
function readDraft<T>(key: string | null): StoredDraft<T> | null {
  const stored = key === null ? null : parseDraft<T>(key)
  return stored && stored.release === session().config.release && isYoung(stored) ? stored : null
}

/** Whether unsaved work of this name is kept: what holds it opens with the page. */
export const hasKeptDraft = (name: string): boolean => readDraft<unknown>(storageKey(name)) !== null

/** What the newest work began from whose name begins so; null when there is none. */
export function newestDraftBase(prefix: string): string | null {
  const begins = storageKey(prefix)
  const keys = begins === null ? [] : storedKeys().filter((key) => key.startsWith(begins))
  const drafts = keys.flatMap((key) => readDraft<unknown>(key) ?? [])
  return drafts.toSorted((a, b) => b.savedAt.localeCompare(a.savedAt))[0]?.base ?? null
}

/** Whether the work under a key belongs to who is signed in now: a form may outlive the session it was opened in. */
function isOwn(key: string): boolean {
  const { user } = session()
  return user !== null && key.startsWith(keyOfPerson(user.id))
}

function storeDraft<T>(key: string, base: string | null, value: T): void {
  if (!isOwn(key)) return
  const draft: StoredDraft<T> = { savedAt: new Date().toISOString(), release: session().config.release, base, value }
  try {
    localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // A full or forbidden store keeps nothing; the page itself still holds the work.
  }
}

/** Keeps work that is to be found where it goes on: in the form of what was made while it was typed. */
export function keepDraft<T>({ name, base, value }: { name: string; base: string | null; value: T }): void {
  const key = storageKey(name)
  if (key !== null) storeDraft(key, base, value)
}

/** Who signs out leaves nothing unsaved behind on the machine. */
export function forgetDrafts(): void {
  for (const key of storedKeys()) localStorage.removeItem(key)
  forgetTab(() => true)
}

/** Who signs in finds their own unsaved work of the last days, and nothing of anybody else stays. */
export function keepOnlyDraftsOf(userId: string): void {
  for (const key of storedKeys()) {
    const draft = key.startsWith(keyOfPerson(userId)) ? parseDraft<unknown>(key) : null
    if (!draft || !isYoung(draft)) localStorage.removeItem(key)
  }
  forgetTab((key) => !key.includes(userId))
}

/** What this tab remembers of files on their way: their names. */
function forgetTab(isForgotten: (key: string) => boolean): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '')
  for (const key of keys) if (key.startsWith(TAB_PREFIX) && isForgotten(key)) sessionStorage.removeItem(key)
}

const storedKeys = (): string[] =>
  Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '').filter((key) =>
    key.startsWith(PREFIX),
  )

export interface DraftSource<T> {
  /** What is worked on, such as `metric:{id}`; null where nothing can be saved. */
  name: string | null
  /** Changes when the work would begin from something else: a kept draft from another base is offered, not put in. */
  base?: string | null
  value: T
  isDirty: boolean
  /** Puts a kept draft in. */
  apply: (value: T) => void
  /** Back to what is saved. */
  reset: () => void
}

/** What became of unsaved work found when the form opened. */
export interface KeptDraft {
  /** `restored`: it is in the form; `offered`: what it was based on has changed since; null: nothing to say. */
  state: 'restored' | 'offered' | null
  /** ISO time of its last change. */
  savedAt: string
  restore: () => void
  discard: () => void
  /** The work is saved, or given up: nothing of it is kept any longer. */
  clear: () => void
}

/**
 * Keeps unsaved work in this browser while it is done, and puts it back when the form opens again: after a reload, after
 * leaving the page, and in another tab.
 */
export function useKeptDraft<T>(source: DraftSource<T>): KeptDraft {
  const { name, base = null, value, isDirty, apply, reset } = source
  // The key of when the form opened: a tab may move to another workspace while the form is still there.
  const key = useMemo(() => (name === null ? null : storageKey(name)), [name])
  const [found, setFound] = useState(() => readDraft<T>(key))
  const [state, setState] = useState<KeptDraft['state']>(() => found && (found.base === base ? 'restored' : 'offered'))
  const clear = useStoring({ key, base, value, isDirty, paused: state === 'offered' })
  const restore = (): void => {
    if (found) apply(found.value)
    setState('restored')
  }
  const restoreFirst = useRef(state === 'restored' ? restore : null)
  useEffect(() => {
    restoreFirst.current?.()
    restoreFirst.current = null
  }, [])
  const forget = (): void => {
    clear()
    setFound(null)
    setState(null)
  }
  const discard = (): void => {
    if (state === 'restored') reset()
    if (key !== null) localStorage.removeItem(key)
    setFound(null)
    setState(null)
  }
  return { state, savedAt: found?.savedAt ?? '', restore, discard, clear: forget }
}

/** Writes the work into the store a moment after each change, and at once when the page or the form goes. */
function useStoring<T>({
  key,
  base = null,
  value,
  isDirty,
  paused,
}: Pick<DraftSource<T>, 'base' | 'value' | 'isDirty'> & { key: string | null; paused: boolean }): () => void {
  const text = key !== null && isDirty && !paused ? JSON.stringify(value) : null
  const pending = useRef<(() => void) | null>(null)
  const clearedText = useRef<string | null>(null)
  const wasKept = useRef(false)
  const latest = useRef(text)
  useEffect(() => {
    const isChanged = text !== latest.current
    latest.current = text
    if (key === null || paused) return
    // Another window may save or discard the same work, and a full store keeps nothing.
    if (isChanged)
      markInputSaved(() => latest.current === null || pending.current !== null || localStorage.getItem(key) !== null)
    if (text === null) {
      pending.current = null
      if (wasKept.current) localStorage.removeItem(key)
      return
    }
    if (text === clearedText.current) return
    wasKept.current = true
    const keep = (): void => {
      pending.current = null
      storeDraft<T>(key, base, JSON.parse(text))
    }
    pending.current = keep
    // What was saved or given up meanwhile is not kept after all.
    const timer = setTimeout(() => pending.current === keep && keep(), KEEP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [key, base, text, paused])
  useEffect(() => {
    const flush = (): void => pending.current?.()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  return () => {
    clearedText.current = text
    pending.current = null
    if (key !== null) localStorage.removeItem(key)
  }
}

interface DraftedForm<T> {
  values: T
  getInitialValues: () => T
  setValues: (values: T) => void
  reset: () => void
}

/** The same for a form: the values that were changed are the work, so that what another window saved of the rest stays. */
export const useFormDraft = <T extends object>(
  form: DraftedForm<T>,
  { name, base = null }: Pick<DraftSource<T>, 'name' | 'base'>,
): KeptDraft => {
  const value = changedValues(form.values, form.getInitialValues())
  return useKeptDraft<Partial<T>>({
    ...{ name, base, value, isDirty: Object.keys(value).length > 0 },
    apply: (changes) => form.setValues({ ...form.getInitialValues(), ...changes }),
    reset: form.reset,
  })
}
