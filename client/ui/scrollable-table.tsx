import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import cards from './card-table.module.css'

interface ScrollableTableProps {
  label: string
  minWidth: number
  /** On a phone each row is a card, and nothing lies beside the screen; its cells name their column by `data-label`. */
  isCards?: boolean
  children: ReactNode
}

/** A table that scrolls sideways inside its own frame when the screen is narrow; reachable by keyboard. */
export function ScrollableTable({ label, minWidth, isCards = false, children }: ScrollableTableProps) {
  return (
    // What readers of the screen hear lies out of the flow: without a place of its own it would widen the page.
    <section className="surface" style={{ overflowX: 'auto', position: 'relative' }} aria-label={label} tabIndex={0}>
      <Table {...(isCards ? { miw: { base: 0, sm: minWidth }, className: cards.table } : { miw: minWidth })}>
        {children}
      </Table>
    </section>
  )
}
