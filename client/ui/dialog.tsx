import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core'
import { useFocusReturn } from '../lib/focus-return'

/** A dialog. Closed in whatever way, it gives the focus back to what opened it. */
export function Dialog(props: ModalProps) {
  useFocusReturn(props.opened)
  return <Modal {...props} returnFocus={false} />
}

/** A dialog at the side of the page, with the same promise. */
export function SideDrawer(props: DrawerProps) {
  useFocusReturn(props.opened)
  return <Drawer {...props} returnFocus={false} />
}
