import { Group, type GroupProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './form-footer.module.css'

interface FormFooterProps extends Pick<GroupProps, 'mt'> {
  /** What is said or done beside the answers, at the left. */
  aside?: ReactNode
  /** Buttons, the primary one last. */
  children: ReactNode
}

/** The end of a dialog, a form or a step: its buttons at the right, in a narrow window as wide as the window. */
export const FormFooter = ({ aside, children, mt }: FormFooterProps) => (
  <Group className={classes.footer} justify="flex-end" gap="sm" {...(mt === undefined ? {} : { mt })}>
    {aside && <div className={classes.aside}>{aside}</div>}
    <div className={classes.buttons}>{children}</div>
  </Group>
)
