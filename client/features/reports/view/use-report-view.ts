import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useEffect } from 'react'
import type { FieldFilter } from '../../../../src/shared/query/plan'
import type { ReportContent, ReportPeriod } from '../../../../src/shared/reports/reports'
import type { TilesRequestInput } from '../../../../src/shared/reports/tiles'
import { useTiles, useTilesAhead, type PageTiles } from '../tiles/use-tiles'
import { askingBlocks } from './asking-blocks'
import { crossFilter, type CrossFilterAction } from './cross-filter'
import { filterValue, pageOf, readAddress, tilesQuestion, writeAddress, type ReportAddress } from './report-address'
import { humanizeLabel } from '../../../../src/shared/text'

const heardByNobody = (): void => undefined

/** How the report is looked at, as the address has it, and how that is changed. */
export function useReportAddress(id: string) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { page, period, compare, filters, marks } = search
  // The same as long as the address says the same.
  const written = JSON.stringify({ page, period, compare, filters, marks })
  const address = useMemo(() => readAddress(JSON.parse(written)), [written])
  const now = useRef(address)
  useEffect(() => {
    now.current = address
  }, [address])
  const hears = useRef<(next: ReportAddress) => void>(heardByNobody)
  const whenChanged = useCallback((hear: (next: ReportAddress) => void) => {
    hears.current = hear
    return () => void (hears.current = heardByNobody)
  }, [])
  const change = useCallback(
    (next: Partial<ReportAddress>): void => {
      const changed = { ...now.current, ...next }
      now.current = changed
      hears.current(changed)
      void navigate({
        to: '/reports/interactive/$id',
        params: { id },
        search: (old) => ({ ...old, ...writeAddress(changed) }),
        replace: next.page === undefined,
        resetScroll: false,
      })
    },
    [id, navigate],
  )
  const mark = useCallback(
    (action: CrossFilterAction): void => change({ selections: crossFilter(now.current.selections, action) }),
    [change],
  )
  const setPeriod = useCallback((period_: Partial<ReportPeriod>): void => change(period_), [change])
  const setFilter = useCallback(
    (filter: string, value: FieldFilter | null): void =>
      change({ filters: { ...now.current.filters, [filter]: value } }),
    [change],
  )
  return { address, change, mark, setPeriod, setFilter, whenChanged }
}
export type ReportView = ReturnType<typeof useReportAddress>

/** Figures are asked for at the click that changes the address, not after the page was drawn for it. */
export function useAskingAhead(
  { whenChanged }: ReportView,
  {
    reportId,
    content,
    of,
    saved,
    store,
  }: Pick<PageTilesOptions, 'reportId' | 'content' | 'of' | 'saved'> & Pick<PageTiles, 'store'>,
): void {
  const ask = useTilesAhead({ reportId, saved }, store)
  useEffect(
    () =>
      whenChanged((next) => {
        // As the page will read it out of the address: it finds this question by what it asks.
        const address = readAddress(JSON.parse(JSON.stringify(writeAddress(next))))
        const blocks = askingBlocks(pageOf(content, address)?.blocks ?? [])
        ask({ request: tilesQuestion(content, address, of), blocks })
      }),
    [whenChanged, ask, content, of],
  )
}

interface PageTilesOptions {
  reportId: string
  content: ReportContent
  address: ReportAddress
  of: TilesRequestInput['of']
  /** Names the saved draft: another one is asked anew. */
  saved?: string | undefined
  enabled?: boolean
  refetchInterval?: number | false
}

/** The page that is looked at, with its figures. */
export function usePageTiles(options: PageTilesOptions) {
  const { reportId, content, address, of, enabled = true, refetchInterval = false } = options
  const page = pageOf(content, address)
  const request = useMemo(() => tilesQuestion(content, address, of), [content, address, of])
  const tiles = useTiles({
    reportId,
    request: enabled ? request : null,
    blocks: askingBlocks(page?.blocks ?? []),
    refetchInterval,
    saved: options.saved,
  })
  const labels = useMemo(
    () => [
      ...content.filters.flatMap((filter) => (filterValue(filter, address) ? [filter.label] : [])),
      ...address.selections.flatMap(({ name, marks }) => (marks[0]?.filters ?? []).map(() => humanizeLabel(name))),
    ],
    [content, address],
  )
  const hasPeriod = (address.range === undefined ? content.period.range : address.range) !== null
  return { page, request, tiles, filterLabels: labels, hasPeriod }
}
