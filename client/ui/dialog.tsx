import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core'
import { createContext, useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { useFocusReturn, useIsTopmost } from '../lib/focus-return'
import { leaveInput } from '../lib/writes/unsaved-input'

/** Within so many ms after it opened, a click beside a dialog is the second one of a double click on what opened it. */
const DOUBLE_CLICK_MS = 500

/** Whether a click beside it closes it; `asked`: what its screen wants. */
function useClickOutside(opened: boolean, asked: boolean): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    if (!opened) return undefined
    const timer = setTimeout(() => setSettled(true), DOUBLE_CLICK_MS)
    return () => {
      clearTimeout(timer)
      setSettled(false)
    }
  }, [opened])
  return asked && isSettled
}

type Leave = (leave: () => void) => void

/** Leaves the dialog around: at once, or once the person says that what was typed in it may go. */
export const LeaveDialogContext = createContext<Leave>((leave) => leave())

type Closing = Pick<ModalProps, 'closeOnEscape' | 'closeOnClickOutside'>
interface Leaving extends Closing {
  root: RefObject<HTMLDivElement | null>
  leave: Leave
}

/** What dialogs promise: whatever closes them asks before typed text is lost, and gives the focus back to what opened them. */
function useLeaving(opened: boolean, { closeOnEscape = true, closeOnClickOutside = true }: Closing): Leaving {
  useFocusReturn(opened)
  const root = useRef<HTMLDivElement>(null)
  const leave = useCallback((then: () => void) => leaveInput(root.current, then), [])
  const isTopmost = useIsTopmost(opened)
  const closes = useClickOutside(opened, closeOnClickOutside)
  return { root, leave, closeOnEscape: closeOnEscape && isTopmost, closeOnClickOutside: closes }
}

/** A dialog. Closed in whatever way, it gives the focus back to what opened it. */
export function Dialog({ onClose, children, ...props }: ModalProps) {
  const { root, leave, ...closing } = useLeaving(props.opened, props)
  return (
    <Modal {...props} {...closing} ref={root} onClose={() => leave(onClose)} returnFocus={false}>
      <LeaveDialogContext value={leave}>{children}</LeaveDialogContext>
    </Modal>
  )
}

/** A dialog at the side of the page, with the same promises. */
export function SideDrawer({ onClose, children, ...props }: DrawerProps) {
  const { root, leave, ...closing } = useLeaving(props.opened, props)
  return (
    <Drawer {...props} {...closing} ref={root} onClose={() => leave(onClose)} returnFocus={false}>
      <LeaveDialogContext value={leave}>{children}</LeaveDialogContext>
    </Drawer>
  )
}
