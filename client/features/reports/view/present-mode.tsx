import { ActionIcon, FocusTrap } from '@mantine/core'
import { useMediaQuery, useViewportSize } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { GRID_ROW_PX, type ReportBlock } from '../../../../src/shared/reports/blocks'
import type { ReportPage } from '../../../../src/shared/reports/reports'
import classes from './report.module.css'

/** Smaller, figures are cut: what does not fit is scrolled to. */
const LEAST_ROW_PX = 30
const MOST_ROW_PX = 64
/** Above and below the page. */
const CHROME_PX = 118

/** How high a row is so that a page fills the screen; what does not fit scrolls. */
export function presentRowPx(blocks: readonly ReportBlock[], heightPx: number): number {
  const rows = Math.max(1, ...blocks.map(({ place }) => place.y + place.h))
  return Math.min(MOST_ROW_PX, Math.max(LEAST_ROW_PX, Math.floor(heightPx / rows)))
}

const FORWARD = new Set(['ArrowRight', 'PageDown', ' '])
const BACK = new Set(['ArrowLeft', 'PageUp'])
/** Where a key leads among `count` pages; null: nowhere. */
export function nextPage(key: string, at: number, count: number): number | null {
  if (FORWARD.has(key)) return at + 1 < count ? at + 1 : null
  if (BACK.has(key)) return at > 0 ? at - 1 : null
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** Within a chart or a table the arrows are theirs, and the space bar presses a button. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  const owners = key === ' ' ? '[role=application],[role=grid],input,button,a' : '[role=application],[role=grid],input'
  return target.closest(owners) !== null
}

interface PresentModeProps {
  name: string
  pages: readonly ReportPage[]
  page: ReportPage
  asOf: ReactNode
  onPage: (page: string) => void
  onEnd: () => void
  children: (rowPx: number) => ReactNode
}

/** The report alone on the screen: pages by key, Esc ends. */
export function PresentMode({ name, pages, page, asOf, onPage, onEnd, children }: PresentModeProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { height } = useViewportSize()
  const narrow = useMediaQuery('(max-width: 43.74em)') ?? false
  const at = pages.findIndex(({ id }) => id === page.id)
  useFullScreen(frame, onEnd)
  const go = (next: number | null): void => {
    const target = next === null ? undefined : pages[next]
    if (target) onPage(target.id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return onEnd()
    if (isTaken(event)) return
    const next = nextPage(event.key, at, pages.length)
    if (next === null) return
    event.preventDefault()
    go(next)
  }
  const rowPx = narrow || height === 0 ? GRID_ROW_PX : presentRowPx(page.blocks, height - CHROME_PX)
  return (
    <FocusTrap active>
      <div
        ref={frame}
        className={classes.present}
        role="dialog"
        aria-modal="true"
        aria-label={`${name}, presenting`}
        tabIndex={-1}
        data-autofocus
        onKeyDown={onKeyDown}
      >
        <div className={classes.presentHead}>
          <h2 className={classes.presentTitle}>{pages.length > 1 ? `${name}: ${page.name}` : name}</h2>
          {asOf}
          <ActionIcon
            ml="auto"
            variant="subtle"
            color="gray"
            aria-label="End presentation"
            className={classes.quiet ?? ''}
            onClick={onEnd}
          >
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </div>
        <div style={{ flex: '1 0 auto' }}>{children(rowPx)}</div>
        {pages.length > 1 && (
          <div className={`${classes.presentFoot} ${classes.quiet}`}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Previous page"
              disabled={at === 0}
              onClick={() => go(at - 1)}
            >
              <IconChevronLeft size={18} aria-hidden />
            </ActionIcon>
            <span aria-live="polite">
              Page {at + 1} of {pages.length}
            </span>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Next page"
              disabled={at === pages.length - 1}
              onClick={() => go(at + 1)}
            >
              <IconChevronRight size={18} aria-hidden />
            </ActionIcon>
          </div>
        )}
      </div>
    </FocusTrap>
  )
}

/** Takes the whole screen where the browser gives it; leaving that ends the presentation. */
function useFullScreen(frame: RefObject<HTMLDivElement | null>, onEnd: () => void): void {
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    frame.current?.focus()
    let entered = false
    void document.documentElement.requestFullscreen?.().then(
      () => (entered = true),
      () => undefined,
    )
    const onChange = (): void => {
      if (entered && !document.fullscreenElement) end.current()
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
    }
  }, [frame])
}
