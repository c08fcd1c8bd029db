import { UnstyledButton } from '@mantine/core'
import { useRef, type KeyboardEvent } from 'react'
import type { ReportPage } from '../../../../src/shared/reports/reports'
import { nextStopIndex } from '../../../ui/chart/chart'
import classes from './report.module.css'

interface PageTabsProps {
  pages: readonly ReportPage[]
  current: string
  onChoose: (page: string) => void
}

/** The pages of a report; arrow keys walk them. One page needs no tabs. */
export function PageTabs({ pages, current, onChoose }: PageTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  if (pages.length < 2) return null
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextStopIndex(
      event.key,
      pages.findIndex(({ id }) => id === current),
      pages.length,
    )
    const page = next === null ? undefined : pages[next]
    if (!page || next === null) return
    event.preventDefault()
    onChoose(page.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div ref={list} className={classes.pages} role="tablist" aria-label="Pages" onKeyDown={onKeyDown}>
      {pages.map(({ id, name }) => (
        <UnstyledButton
          key={id}
          role="tab"
          aria-selected={id === current}
          tabIndex={id === current ? 0 : -1}
          className={classes.pageTab}
          onClick={() => onChoose(id)}
        >
          {name}
        </UnstyledButton>
      ))}
    </div>
  )
}
