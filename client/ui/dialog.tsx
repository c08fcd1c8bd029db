import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useFocusReturn } from '../lib/focus-return'

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

/** A dialog. Closed in whatever way, it gives the focus back to what opened it. */
export function Dialog({ closeOnClickOutside = true, ...props }: ModalProps) {
  useFocusReturn(props.opened)
  const closes = useClickOutside(props.opened, closeOnClickOutside)
  return <Modal {...props} closeOnClickOutside={closes} returnFocus={false} />
}

/** A dialog at the side of the page, with the same promises. */
export function SideDrawer({ closeOnClickOutside = true, ...props }: DrawerProps) {
  useFocusReturn(props.opened)
  const closes = useClickOutside(props.opened, closeOnClickOutside)
  return <Drawer {...props} closeOnClickOutside={closes} returnFocus={false} />
}
