import { Skeleton, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconArrowDownRight, IconArrowRight, IconArrowUpRight, IconLock } from '@tabler/icons-react'
import { useContext, type ReactNode } from 'react'
import type { BlockOf } from '../../../../src/shared/reports/blocks'
import type { FigureAnswer, FigureTile } from '../../../../src/shared/reports/tiles'
import { toNumber } from '../../../../src/shared/figures/cell-formatter'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { LinkAnchor } from '../../../ui/buttons/links'
import { changeVerdict, describeCompared, describeResultPeriod } from '../../../../src/shared/charts/headline'
import { useTileContent } from '../tiles/use-tiles'
import classes from './blocks.module.css'
import { useFrozen } from './slots'
import { TileFilesMenu } from './tile-files'
import { PageQuestionContext, TileFrame } from './tile-frame'
import { figureOf } from '../../../../src/shared/reports/token-text'

/** A row of key figures. */
export function KpiTile({ block }: { block: BlockOf<'kpis'> }) {
  const content = useTileContent(block.id)
  const names = block.figures.map(({ label }) => label).filter((label) => label !== '')
  return (
    <TileFrame
      title={names.length > 0 ? `Key figures: ${names.join(', ')}` : 'Key figures'}
      block={block.id}
      bare
      skeleton={<KpiSkeleton count={block.figures.length} />}
    >
      <div className={classes.sized} style={{ height: '100%' }}>
        <div className={classes.kpis}>
          {content?.kind === 'kpis' &&
            content.figures.map((figure, at) => (
              <Kpi key={at} answer={figure} label={block.figures[at]?.label ?? ''} />
            ))}
        </div>
      </div>
    </TileFrame>
  )
}

/** What a row of key figures can be taken along as: it has no heading for a menu. */
export function KpiFilesMenu({ block }: { block: BlockOf<'kpis'> }) {
  const content = useTileContent(block.id)
  const isFrozen = useFrozen()
  if (isFrozen || content?.kind !== 'kpis') return null
  return <TileFilesMenu block={block.id} title="Key figures" />
}

const KpiSkeleton = ({ count }: { count: number }) => (
  <div className={classes.kpis} role="status" aria-label="Loading">
    {Array.from({ length: count }, (_, at) => (
      <div key={at} className={classes.kpi}>
        <Skeleton h={10} w={80} animate={false} />
        <Skeleton h={24} w={120} mt={6} animate={false} />
      </div>
    ))}
  </div>
)

function Kpi({ answer, label }: { answer: FigureAnswer; label: string }) {
  const isFrozen = useFrozen()
  if ('error' in answer)
    return (
      <div className={classes.kpi}>
        <div className={classes.kpiLabel}>{label || 'Key figure'}</div>
        <div className={classes.kpiChange}>
          {answer.error.code === 'not_found' || answer.error.code === 'forbidden' ? (
            <>
              <IconLock size={14} aria-hidden />
              {isFrozen ? 'Not available' : answer.error.code === 'forbidden' ? 'No access' : 'Deleted, or no access'}
            </>
          ) : (
            <>
              <IconAlertTriangle size={14} color="var(--warn)" aria-hidden /> {answer.error.message}
            </>
          )}
        </div>
      </div>
    )
  return <KnownKpi tile={answer} label={label} />
}

function KnownKpi({ tile, label }: { tile: FigureTile; label: string }) {
  const format = useCellFormatter()
  const figure = figureOf(tile)
  const name = label || tile.name
  const period = describeResultPeriod(tile.result, format.day)
  const value = figure && toNumber(figure.value) !== null ? format.round(figure.value, figure.column) : '–'
  const full = figure ? format.full(figure.value, figure.column) : ''
  return (
    <div className={classes.kpi}>
      <div className={classes.kpiLabel} title={name}>
        <KpiLink tile={tile}>{name}</KpiLink>
      </div>
      <Tooltip label={[full, period].filter(Boolean).join(', ')} disabled={full === ''}>
        <div className={classes.kpiValue}>{value}</div>
      </Tooltip>
      <KpiChange tile={tile} />
    </div>
  )
}

function KpiLink({ tile, children }: { tile: FigureTile; children: ReactNode }) {
  const { subject } = tile
  if (useFrozen()) return children
  const style = { c: 'inherit', fz: 'inherit', fw: 'inherit', underline: 'hover' } as const
  return subject.kind === 'metric' ? (
    <LinkAnchor to="/metrics/$id" params={{ id: subject.id }} {...style}>
      {children}
    </LinkAnchor>
  ) : (
    <LinkAnchor to="/insights/$id" params={{ id: subject.id }} {...style}>
      {children}
    </LinkAnchor>
  )
}

const VERDICTS = { good: 'Favourable change', bad: 'Unfavourable change', neutral: 'Change' } as const

/** Which way it went and by how much; else the period that it is of. */
function KpiChange({ tile }: { tile: FigureTile }) {
  const format = useCellFormatter()
  const { filterLabels, hasPeriod } = useContext(PageQuestionContext)
  const figure = figureOf(tile)
  const change = toNumber(figure?.change)
  const compare = tile.result.period?.compare
  const unfiltered = tile.unfiltered.flatMap((at) => filterLabels[at] ?? [])
  const asides = [
    ...(unfiltered.length > 0 ? [`Not filtered by ${unfiltered.join(', ')}`] : []),
    ...(hasPeriod && !tile.period ? ['Own period'] : []),
  ]
  const aside = asides.length > 0 ? <span className={classes.neutral}>{asides.join(' · ')}</span> : null
  if (!figure || !compare || change === null)
    return (
      <div className={`${classes.kpiChange} ${classes.neutral}`}>
        {aside ?? <span>{describeResultPeriod(tile.result, format.day) ?? 'All time'}</span>}
      </div>
    )
  const verdict = changeVerdict(change, tile.direction)
  const Arrow = change > 0 ? IconArrowUpRight : change < 0 ? IconArrowDownRight : IconArrowRight
  const words =
    figure.share === null ? format.signedSentence(figure.change, figure.column) : format.share(figure.share, true)
  const against = describeCompared(compare, format.day)
  return (
    <>
      <div className={`${classes.kpiChange} ${classes[verdict]}`}>
        <Arrow size={15} role="img" aria-label={VERDICTS[verdict]} />
        <span title={`${words} vs ${against}`}>
          {change === 0 ? 'No change' : words} <span className={classes.neutral}>vs {against}</span>
        </span>
      </div>
      {aside && <div className={classes.kpiChange}>{aside}</div>}
    </>
  )
}
