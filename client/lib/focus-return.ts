import { useEffect, useId, useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** After whatever opens next, and a list of actions that closes, have taken the focus. */
const RETURN_MS = 10

/** What opened the dialogs that are on screen, the last one last. */
const openDialogs = new Set<readonly HTMLElement[]>()

/**
 * What has the focus, and should have it again once a dialog that opens now is closed; then what opened the dialogs
 * before it, for one that takes another's place. Of an action in a menu it is the menu's button: the menu closes.
 */
export function openersNow(): readonly HTMLElement[] {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"]')
  const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  const opener = button ?? active
  const before = [...openDialogs].toReversed().flat()
  return opener instanceof HTMLElement && opener !== document.body ? [opener, ...before] : before
}

const isInDialog = (element: Element): boolean => element.closest('[role="dialog"]') !== null

/** Leads the focus back, unless it has gone elsewhere meanwhile; to the page's content where no opener is left. */
export function returnFocus(openers: readonly HTMLElement[]): void {
  const atClose = document.activeElement
  setTimeout(() => {
    const now = document.activeElement
    const isLost = now === null || now === document.body || (now === atClose && isInDialog(now))
    if (!isLost) return
    for (const opener of [...openers, document.getElementById('main')]) {
      if (opener?.isConnected) opener.focus({ preventScroll: true })
      if (opener !== null && document.activeElement === opener) return
    }
  }, RETURN_MS)
}

/** Gives the focus back to what opened a dialog, whether it is closed or taken off the page. */
export function useFocusReturn(opened: boolean): void {
  // Read while it is drawn for the first time: what opened it may be gone once it is on the page.
  const [state, setState] = useState({ opened: false, openers: NO_OPENERS })
  if (opened !== state.opened) setState({ opened, openers: opened ? openersNow() : state.openers })
  const { openers } = state
  useLayoutEffect(() => {
    if (!opened) return undefined
    openDialogs.add(openers)
    return () => {
      openDialogs.delete(openers)
      returnFocus(openers)
    }
  }, [opened, openers])
}
const NO_OPENERS: readonly HTMLElement[] = []

/** The dialogs on screen, by names of their own, the topmost last. */
let stack: readonly string[] = []
const listeners = new Set<() => void>()

function change(next: readonly string[]): void {
  stack = next
  listeners.forEach((listener) => listener())
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Puts a dialog on top of all others; answers how to take it away. */
export function putOnTop(name: string): () => void {
  change([...stack, name])
  return () => change(stack.filter((each) => each !== name))
}

/** Whether a dialog is the topmost one: only that one closes by Escape. */
export function useIsTopmost(opened: boolean): boolean {
  const name = useId()
  useEffect(() => (opened ? putOnTop(name) : undefined), [opened, name])
  return useSyncExternalStore(subscribe, () => stack.at(-1) === name)
}
