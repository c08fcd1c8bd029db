import { Button, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPencil, IconPresentation } from '@tabler/icons-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { Report, ReportContent } from '../../../../src/shared/reports/reports'
import { useSourceStatus } from '../../../lib/queries/data-source-queries'
import { EmptyState } from '../../../ui/empty-state'
import { FreshnessStrip } from '../../../ui/freshness'
import { NeutralBadge } from '../../../ui/neutral-badge'
import { PageHeader } from '../../../ui/page-header'
import type { TilesRequestInput } from '../../../../src/shared/reports/tiles'
import { downloadReport } from '../download-report'
import { BlockToolsContext } from '../blocks/block-tools'
import { MarkActionsContext } from '../blocks/marks'
import { PageQuestionContext, type PageQuestion } from '../blocks/tile-frame'
import { TileStoreContext, type PageTiles } from '../tiles/use-tiles'
import { BlockComments, useBlockTalk } from './block-comments'
import { BookmarksMenu } from './bookmarks-menu'
import { FilterControl } from './filter-control'
import { PageGrid } from './page-grid'
import { PageTabs } from './page-tabs'
import { PeriodControl } from './period-control'
import { PresentMode } from './present-mode'
import { SelectionChips } from './report-chips'
import { filterValue, periodOf } from './report-address'
import { useAskingAhead, usePageTiles, useReportAddress, type ReportView as View } from './use-report-view'
import classes from './report.module.css'

const PRESENT_REFRESH_MS = 60_000

interface ReportViewProps {
  report: Report
  content: ReportContent
  /** Undefined where the person may not edit. */
  onEdit: (() => void) | undefined
  menu: ReactNode
  /** What was frozen of it, before the figures of today. */
  editions?: ReactNode
}

/** A report as its readers see it: its figures, narrowed by period, filters and clicks on marks. */
export function ReportView({ report, content, onEdit, menu, editions }: ReportViewProps) {
  const view = useReportAddress(report.id)
  const [presents, setPresents] = useState(false)
  const of = report.published === null ? 'draft' : 'published'
  const saved = of === 'draft' ? String(report.version) : String(report.publication)
  const { page, request, tiles, filterLabels, hasPeriod } = usePageTiles({
    ...{ reportId: report.id, content, address: view.address, of, saved },
    refetchInterval: presents ? PRESENT_REFRESH_MS : false,
  })
  useAskingAhead(view, { reportId: report.id, content, of, saved, store: tiles.store })
  const { mark } = view
  const marks = useMemo(() => ({ toggle: (parts: ToggleParts) => mark({ kind: 'toggle', ...parts }) }), [mark])
  const download = useBlockDownload(report, request)
  const question = useQuestion(tiles, { filterLabels, hasPeriod, download })
  const talk = useBlockTalk(report)
  useHotkeys([['Escape', () => isAnythingOpen() || mark({ kind: 'clear' })]])
  const asOf = <Freshness tiles={tiles} />
  const grid = (rowPx?: number) =>
    page && page.blocks.length > 0 ? (
      <PageGrid
        blocks={page.blocks}
        isPaper={report.kind === 'legacy'}
        selections={view.address.selections}
        {...(rowPx ? { rowPx } : {})}
      />
    ) : (
      <EmptyPage onEdit={onEdit} />
    )
  return (
    <MarkActionsContext value={marks}>
      <PageQuestionContext value={question}>
        <TileStoreContext value={tiles.store}>
          {!presents && (
            <ReportHeader
              report={report}
              asOf={asOf}
              menu={menu}
              onEdit={onEdit}
              onPresent={page && page.blocks.length > 0 ? () => setPresents(true) : undefined}
            />
          )}
          {!presents && editions}
          {!presents && (
            <div className={classes.bar}>
              <ReportControls content={content} view={view} />
              <SelectionChips selections={view.address.selections} onMark={mark} />
            </div>
          )}
          {page && !presents && (
            <PageTabs pages={content.pages} current={page.id} onChoose={(id) => view.change({ page: id })} />
          )}
          {presents && page ? (
            <PresentMode
              name={report.name}
              pages={content.pages}
              page={page}
              asOf={asOf}
              onPage={(id) => view.change({ page: id })}
              onEnd={() => setPresents(false)}
            >
              {(rowPx) => grid(rowPx)}
            </PresentMode>
          ) : (
            <BlockToolsContext value={talk.tools}>{grid()}</BlockToolsContext>
          )}
          {!presents && page && <BlockComments reportId={report.id} blocks={page.blocks} talk={talk} tiles={tiles} />}
        </TileStoreContext>
      </PageQuestionContext>
    </MarkActionsContext>
  )
}
/** Esc closes what lies above the report first. */
const isAnythingOpen = (): boolean => document.querySelector('[role=dialog],[role=menu],[role=listbox]') !== null
type ToggleParts = Omit<Extract<Parameters<View['mark']>[0], { kind: 'toggle' }>, 'kind'>

/** What tiles know of their page; the same object while nothing of it changes. */
export function useQuestion(
  { retry }: Pick<PageTiles, 'retry'>,
  { filterLabels, hasPeriod, download }: Omit<PageQuestion, 'retry'>,
): PageQuestion {
  return useMemo(() => ({ filterLabels, hasPeriod, retry, download }), [filterLabels, hasPeriod, retry, download])
}

/** Downloads a block as the page shows it: of its period, filters and marks. */
function useBlockDownload({ id, name }: Report, request: TilesRequestInput | null): PageQuestion['download'] {
  return useMemo(() => {
    if (!request) return undefined
    const { page: _page, blocks: _blocks, ...asked } = request
    return (block, format) => downloadReport(id, name, { ...asked, block, format })
  }, [id, name, request])
}

/** How current the figures of the page are. */
export function Freshness({ tiles }: { tiles: PageTiles }) {
  const sources = useSourceStatus(tiles.datasetIds)
  // While the first figures are on their way, and where a page has none, there is nothing to be current.
  if (tiles.dataAsOf === null && tiles.error === null) return null
  return (
    <FreshnessStrip
      asOf={tiles.dataAsOf}
      loading={tiles.fetching && tiles.dataAsOf !== null}
      failed={tiles.error !== null}
      sources={sources}
      restricted={tiles.restricted}
    />
  )
}

interface ReportHeaderProps extends Pick<ReportViewProps, 'report' | 'onEdit' | 'menu'> {
  asOf: ReactNode
  onPresent: (() => void) | undefined
}

function ReportHeader({ report, asOf, menu, onEdit, onPresent }: ReportHeaderProps) {
  return (
    <PageHeader
      title={report.name}
      breadcrumb={<ReportBadges report={report} />}
      description={
        <Group gap="sm" component="span">
          {report.description !== '' && <span>{report.description}</span>}
          {asOf}
        </Group>
      }
      actions={
        <>
          <BookmarksMenu reportId={report.id} />
          {onPresent && (
            <Button
              variant="default"
              leftSection={<IconPresentation size={16} aria-hidden />}
              onClick={onPresent}
              visibleFrom="xs"
            >
              Present
            </Button>
          )}
          {onEdit && (
            <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
              Edit
            </Button>
          )}
          {menu}
        </>
      }
    />
  )
}

function ReportBadges({ report }: { report: Report }) {
  const { status, changed } = report
  if (status === 'published' && !changed) return null
  return (
    <Group gap={6}>
      {status === 'draft' && <NeutralBadge>Draft: only editors see it</NeutralBadge>}
      {status === 'archived' && <NeutralBadge>Archived</NeutralBadge>}
      {status !== 'draft' && changed && <NeutralBadge>Unpublished changes</NeutralBadge>}
    </Group>
  )
}

/** Period, comparison and the filters of the report, for this reader. */
function ReportControls({ content, view }: { content: ReportContent; view: View }) {
  const { address, setPeriod, setFilter, change } = view
  const { range, compare } = periodOf(content, address)
  // A click on a mark leaves it as it is.
  const kept = useMemo(() => ({ range, compare }), [range, compare])
  const isChanged =
    address.range !== undefined || address.compare !== undefined || Object.keys(address.filters).length > 0
  return (
    <div className={classes.controls} role="group" aria-label="Period and filters">
      <PeriodControl period={kept} onChange={setPeriod} />
      {content.filters.map((filter) => (
        <FilterControl
          key={filter.id}
          filter={filter}
          value={filterValue(filter, address)}
          onChange={(value) => setFilter(filter.id, value)}
        />
      ))}
      {isChanged && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => change({ range: undefined, compare: undefined, filters: {} })}
        >
          Reset
        </Button>
      )}
    </div>
  )
}

const EmptyPage = ({ onEdit }: { onEdit: (() => void) | undefined }) => (
  <EmptyState
    picture="insights"
    title="Nothing on this page yet"
    {...(onEdit
      ? { sentence: 'Add key figures, charts and text.', action: <Button onClick={onEdit}>Edit report</Button> }
      : {})}
  />
)
