import { Button, Stack, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import { useId, type ComponentPropsWithRef, type ReactNode } from 'react'
import classes from './page-rail.module.css'

interface PageWithRailProps {
  /** What the page is about, large. */
  children: ReactNode
  /** Side matters: beside it where there is room, after it where there is none. Without any the page is whole. */
  rail: ReactNode
}

/** One primary thing, and what belongs to it in a narrow rail. */
export const PageWithRail = ({ children, rail }: PageWithRailProps) => (
  <div className={classes.page}>
    <Stack gap="md" className={`${classes.main} in-order`}>
      {children}
    </Stack>
    <aside className={classes.rail} aria-label="Related">
      {rail}
    </aside>
  </div>
)

interface SideSectionProps {
  title: string
  /** There is nothing yet: the action stands alone, without a title around it; without one there is nothing at all. */
  isEmpty?: boolean
  /** One `SideButton` or `SideLink`. */
  action?: ReactNode
  children?: ReactNode
}

/** A side matter: a quiet heading with its lines, or one button while there is nothing. */
export function SideSection({ title, isEmpty = false, action, children }: SideSectionProps) {
  const id = useId()
  if (isEmpty) return action ? <div className={classes.lone}>{action}</div> : null
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Title order={2} id={id} size="h4">
        {title}
      </Title>
      {children}
      {action}
    </section>
  )
}

interface SideActionProps {
  icon: Icon
  children: string
}

const sideAction = ({ icon: ActionIcon }: SideActionProps) =>
  ({ variant: 'default', size: 'xs', leftSection: <ActionIcon size={14} aria-hidden /> }) as const

/** What can be done about a side matter. */
export const SideButton = ({ onClick, ...action }: SideActionProps & { onClick: () => void }) => (
  <Button {...sideAction(action)} onClick={onClick}>
    {action.children}
  </Button>
)

/** The same where it is on another page. */
export const SideLink = createLink(({ icon, children, ...link }: SideActionProps & SideAnchor) => (
  <Button component="a" {...link} {...sideAction({ icon, children })}>
    {children}
  </Button>
))
type SideAnchor = Pick<ComponentPropsWithRef<'a'>, 'ref' | 'href' | 'onClick'>
