import { Button, Skeleton, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconFilterOff, IconLock, IconRefresh, type Icon } from '@tabler/icons-react'
import { createContext, useContext, type ReactNode } from 'react'
import { describeError } from '../../../lib/describe-error'
import type { TileContext } from '../../../../src/shared/reports/tiles'
import type { TileState } from '../tiles/tile-store'
import { isForbidden, toError, useTile } from '../tiles/use-tiles'
import { BlockTools } from './block-tools'
import classes from './blocks.module.css'
import { useFrozen } from './slots'

/** What all tiles of a page know of its question. */
export interface PageQuestion {
  /** Names of its filters, in the order in which they were asked. */
  filterLabels: readonly string[]
  /** It has a period that blocks follow. */
  hasPeriod: boolean
  retry: (block: string) => void
  /** Downloads a block with its figures as the page shows them; absent where nothing can be taken along. */
  download?: ((block: string, format: 'csv' | 'xlsx') => Promise<void>) | undefined
}
const NO_QUESTION: PageQuestion = { filterLabels: [], hasPeriod: false, retry: () => undefined }
export const PageQuestionContext = createContext<PageQuestion>(NO_QUESTION)

interface TileFrameProps {
  title: string
  subtitle?: string | undefined
  /** What of the page's question it follows; absent where it has none to follow. */
  context?: TileContext | undefined
  block: string
  isChosen?: boolean
  menu?: ReactNode
  skeleton?: ReactNode
  /** Key figures have no heading of their own. */
  bare?: boolean
  children: ReactNode
}

/** One tile: its name, what is to be known of its figures, and these, or why there are none. */
export function TileFrame(props: TileFrameProps) {
  const { title, subtitle, context, block, isChosen = false, menu, bare = false, children } = props
  const state = useTile(block)
  const { content, waiting, lasting } = state
  const failed = toError(state)
  const { hasPeriod } = useContext(PageQuestionContext)
  // Beside tiles that follow the report's period its figures look wrong unless it says so.
  const under = hasPeriod && context?.period === false ? `${subtitle ?? 'All time'} · own period` : subtitle
  return (
    <article className={classes.tile} aria-label={title} aria-busy={waiting} data-chosen={isChosen || undefined}>
      {!bare && (
        <div className={classes.head}>
          <div className={classes.names}>
            <h2 className={classes.title} title={title}>
              {title}
            </h2>
            {under !== undefined && (
              <div className={classes.subtitle} title={under}>
                {under}
              </div>
            )}
          </div>
          <div className={classes.marks}>
            <TileMarks state={state} context={context} block={block} />
            {!isForbidden(state) && <BlockTools block={block} title={title} />}
            {menu}
          </div>
        </div>
      )}
      <div className={classes.body} data-waiting={lasting || undefined}>
        {content !== null && (!failed || !isForbidden(state)) ? (
          children
        ) : failed ? (
          <TileTrouble state={state} error={failed} block={block} />
        ) : (
          (props.skeleton ?? <TileSkeleton />)
        )}
      </div>
    </article>
  )
}

function Mark({ icon: MarkIcon, words, tone }: { icon: Icon; words: string; tone?: 'warn' }) {
  return (
    <Tooltip label={words} multiline maw={260}>
      <span className={classes.mark} data-tone={tone} role="img" aria-label={words} tabIndex={0}>
        <MarkIcon size={16} aria-hidden />
      </span>
    </Tooltip>
  )
}

/** What a reader should know before comparing this tile with others. */
function TileMarks({ state, context, block }: Pick<TileFrameProps, 'context' | 'block'> & { state: TileState }) {
  const { filterLabels, retry } = useContext(PageQuestionContext)
  const failed = state.content === null ? null : toError(state)
  const unfiltered = (context?.unfiltered ?? []).flatMap((at) => filterLabels[at] ?? [])
  return (
    <>
      {failed && (
        <>
          <Mark icon={IconAlertTriangle} tone="warn" words={`Couldn’t refresh: ${describeError(failed).title}`} />
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={() => retry(block)}
          >
            Try again
          </Button>
        </>
      )}
      {unfiltered.length > 0 && (
        <Mark icon={IconFilterOff} words={`Not filtered by ${[...new Set(unfiltered)].join(', ')}`} />
      )}
    </>
  )
}

function TileTrouble({ state, error, block }: { state: TileState; error: Error; block: string }) {
  const { retry } = useContext(PageQuestionContext)
  const { title, advice } = describeError(error)
  const isFrozen = useFrozen()
  // Who looks from outside has nobody to ask.
  if (isForbidden(state) && isFrozen)
    return (
      <div className={classes.message}>
        <IconLock size={22} aria-hidden />
        Not available
      </div>
    )
  if (isForbidden(state))
    return (
      <div className={classes.message}>
        <IconLock size={22} aria-hidden />
        <strong>{state.error?.code === 'not_found' ? 'Deleted, or no access' : 'No access'}</strong>
        Ask an owner or admin.
      </div>
    )
  return (
    <div className={classes.message} role="alert">
      <IconAlertTriangle size={22} color="var(--warn)" aria-hidden />
      <strong>{title}</strong>
      {advice}
      <Button size="compact-sm" variant="default" onClick={() => retry(block)}>
        Try again
      </Button>
    </div>
  )
}

const BARS = [46, 62, 54, 78, 70, 92, 66, 84]
export const TileSkeleton = () => (
  <div className={classes.skeleton} role="status" aria-label="Loading">
    {BARS.map((share) => (
      <Skeleton key={share} h={`${share}%`} style={{ flex: 1 }} animate={false} />
    ))}
  </div>
)

export const LinesSkeleton = () => (
  <div role="status" aria-label="Loading">
    {[70, 90, 55].map((width) => (
      <Skeleton key={width} h={12} w={`${width}%`} mt={10} animate={false} />
    ))}
  </div>
)

export const EmptyTile = ({ children = 'No rows in this period' }: { children?: ReactNode }) => (
  <div className={classes.message}>{children}</div>
)
