import { useEffect, useSyncExternalStore } from 'react'
import { onHandled } from './handled-event'

/**
 * Text that was typed into a form or a dialog and is nowhere else: neither saved nor kept as a draft. It is read off the
 * page, so that no form has to say it of itself. Leaving it asks once.
 */

type TextField = HTMLInputElement | HTMLTextAreaElement
interface Typed {
  /** What stood there before anything was typed, or was saved last. */
  first: string
  /** Which of all inputs was its last one; 0 = none since it was saved. */
  at: number
  /** Whether a draft in this browser has it now. */
  isKept: () => boolean
}

const TEXT_TYPES = new Set(['text', 'email', 'url', 'tel', 'number', 'password'])
/** What is typed here is no work: a search, a filter, what proves or confirms. */
const TRANSIENT =
  '[data-transient], [autocomplete="username"], [autocomplete="current-password"], [autocomplete="one-time-code"], [readonly]'
const DIALOG = '[aria-modal="true"]'
/** A field of several values shows those that are entered beside what is typed. */
const VALUES = '.mantine-TagsInput-input'

const isNowhere = (): boolean => false

const fields = new Map<TextField, Typed>()
let inputs = 0
let lastField: TextField | null = null
let lastActed: Element | null = null

/** What is saved together: a dialog, or a form; `data-form` where it has no element of its own, or several. */
const scopeOf = (element: Element | null): Element | null =>
  element?.closest(DIALOG) ?? element?.closest('[data-form]') ?? element?.closest('form') ?? null

/** What was acted on before each dialog: what opened it. */
const openers = new WeakMap<Element, Element>()

/** Where a write saves: the form or dialog it was begun in, and what the dialogs were opened from. */
function savedScopes(begun: Element | null): Set<Element> {
  const scopes = new Set<Element>()
  for (let scope = scopeOf(begun); scope && !scopes.has(scope); scope = scopeOf(openers.get(scope) ?? null))
    scopes.add(scope)
  return scopes
}

const textOf = (field: TextField): string => `${field.closest(VALUES)?.textContent ?? ''} ${field.value}`

/** A text field of a form or a dialog; what only chooses among options holds no text. */
function textField(target: EventTarget | null): TextField | null {
  const isInput = target instanceof HTMLInputElement && TEXT_TYPES.has(target.type)
  if (!isInput && !(target instanceof HTMLTextAreaElement)) return null
  if (target.getAttribute('role') === 'combobox' && !target.closest(VALUES)) return null
  return scopeOf(target) !== null && target.closest(TRANSIENT) === null ? target : null
}

function meet(field: TextField): Typed {
  for (const each of fields.keys()) if (!each.isConnected) fields.delete(each)
  const known = fields.get(field) ?? { first: textOf(field), at: 0, isKept: isNowhere }
  fields.set(field, known)
  return known
}

const onFocus = ({ target }: Event): void => {
  const field = textField(target)
  if (field) meet(field)
}
const onInput = ({ target }: Event): void => {
  const field = textField(target)
  if (!field) return
  Object.assign(meet(field), { at: ++inputs, isKept: isNowhere })
  lastField = field
  lastActed = field
}
const onAct = ({ target }: Event): void => {
  const acted = target instanceof Element ? target : null
  const dialog = acted?.closest(DIALOG)
  if (dialog && lastActed && !openers.has(dialog) && !dialog.contains(lastActed)) openers.set(dialog, lastActed)
  lastActed = acted
}

/** Hears what is typed on the page; answers how to stop. */
export function trackInput(): () => void {
  const field = textField(document.activeElement)
  if (field) meet(field)
  const heard = { focusin: onFocus, input: onInput, click: onAct, keydown: onAct }
  for (const [event, listener] of Object.entries(heard)) document.addEventListener(event, listener, true)
  // What is typed is noted before drafts take it up, and told only after.
  const stopTelling = onHandled('input', ({ target }) => textField(target) && announce())
  return () => {
    stopTelling()
    for (const [event, listener] of Object.entries(heard)) document.removeEventListener(event, listener, true)
    forgetInput()
  }
}

/** The draft of the form that was acted in last has taken up its last input; `isKept`: whether it has it still. */
export function markInputSaved(isKept: () => boolean): void {
  const typed = lastField && scopeOf(lastField) === scopeOf(lastActed) && fields.get(lastField)
  if (typed) typed.isKept = isKept
}

function settle(field: TextField, typed: Typed): void {
  if (field.isConnected) Object.assign(typed, { first: textOf(field), at: 0 })
  else fields.delete(field)
}

/**
 * A write begins; call the answer when the server took it. What was typed before is saved then: in the form or dialog it
 * was begun from, and in what that dialog was opened from.
 */
export function beginWrite(): () => void {
  const scopes = savedScopes(lastActed)
  const sent = inputs
  const isOurs = (field: TextField): boolean => {
    const scope = scopeOf(field)
    return scopes.size > 0 && (!field.isConnected || (scope !== null && scopes.has(scope)))
  }
  return () => {
    for (const [field, typed] of fields) if (typed.at <= sent && isOurs(field)) settle(field, typed)
    announce()
  }
}

/** Work that is no text of a field, and whether it is lost on the way to another address. */
interface UnsavedWork {
  isLost: (next: Address, from: Address) => boolean
}
const works = new Set<UnsavedWork>()

/** Where the app stands or goes. */
export interface Address {
  pathname: string
  search: object
}
const parameter = (search: object, name: string): unknown => new Map<string, unknown>(Object.entries(search)).get(name)
/** Another page, another tab of it, another workspace: the screen that stood there is gone. */
const leavesScreen = (next: Address, from: Address): boolean =>
  next.pathname !== from.pathname ||
  ['tab', 'w'].some((name) => parameter(next.search, name) !== parameter(from.search, name))

/** Tells of unsaved work that is more than the text of fields: it is asked about like that. */
export function useUnsavedWork(isUnsaved: boolean, isLost: UnsavedWork['isLost'] = leavesScreen): void {
  useEffect(() => {
    if (!isUnsaved) return undefined
    const work = { isLost }
    works.add(work)
    announce()
    return () => {
      works.delete(work)
      announce()
    }
  }, [isUnsaved, isLost])
}

const isUnsaved = ([field, typed]: [TextField, Typed]): boolean =>
  field.isConnected && typed.at > 0 && !typed.isKept() && textOf(field) !== typed.first

/** Whether there is unsaved text within a dialog, or on the whole page. */
export const hasUnsavedInput = (within: Element = document.body): boolean =>
  [...fields].some((entry) => within.contains(entry[0]) && isUnsaved(entry))

/** Whether closing the page loses work. */
export const hasUnsavedWork = (): boolean => works.size > 0 || hasUnsavedInput()

/** Whether the way to another address of the app does. */
export const losesWork = (next: Address, from: Address): boolean =>
  (leavesScreen(next, from) && hasUnsavedInput()) || [...works].some(({ isLost }) => isLost(next, from))

const listeners = new Set<() => void>()
const announce = (): void => listeners.forEach((listener) => listener())
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const mayBeUnsaved = (): boolean => works.size > 0 || [...fields.values()].some(({ at }) => at > 0)
/** Whether anything was typed or tried that may have to be asked about. */
export const useMayBeUnsaved = (): boolean => useSyncExternalStore(subscribe, mayBeUnsaved)

/** The question under way: whoever else would ask it waits for the same answer. */
let question: { answer: Promise<boolean>; settle: (discards: boolean) => void } | null = null
const isAsked = (): boolean => question !== null
/** Whether the question is on screen. */
export const useIsAsked = (): boolean => useSyncExternalStore(subscribe, isAsked)

/** Asks whether what was typed within may go; true when it may, and then it is not asked about again. */
export async function askToDiscard(within: Element = document.body): Promise<boolean> {
  if (!question) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    question = { answer: promise, settle: resolve }
    announce()
  }
  const discards = await question.answer
  if (discards) for (const [field, typed] of fields) if (within.contains(field)) settle(field, typed)
  return discards
}

/** The person's answer. */
export function answerQuestion(discards: boolean): void {
  question?.settle(discards)
  question = null
  announce()
}

/** What was typed goes unasked: somebody else is signed in by now. */
export function forgetInput(): void {
  fields.clear()
  works.clear()
  announce()
}

/** Leaves the page by other ways than an address, such as a sign-out: at once, or once the person says that it may go. */
export function leavePage(leave: () => void): void {
  if (!hasUnsavedWork()) return leave()
  void askToDiscard().then((discards) => discards && leave())
}

/** Leaves at once where nothing within is unsaved, else once the person says that it may go. */
export function leaveInput(within: Element | null, leave: () => void): void {
  if (!within || !hasUnsavedInput(within)) return leave()
  void askToDiscard(within).then((discards) => discards && leave())
}
