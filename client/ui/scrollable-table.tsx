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
    <section className="surface" style={{ overflowX: 'auto' }} aria-label={label} tabIndex={0}>
      <Table miw={minWidth}>{children}</Table>
    </section>
  )
}
