import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table that scrolls sideways inside its own frame when the screen is narrow; reachable by keyboard. */
export function ScrollableTable({
  label,
  minWidth,
  children,
}: {
  label: string
  minWidth: number
  children: ReactNode
}) {
  return (
    // What readers of the screen hear lies out of the flow: without a place of its own it would widen the page.
    <section className="surface" style={{ overflowX: 'auto', position: 'relative' }} aria-label={label} tabIndex={0}>
      <Table miw={minWidth}>{children}</Table>
    </section>
  )
}
