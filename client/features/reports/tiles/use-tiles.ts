import { hashKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { apiFetch, ApiError, NetworkError } from '../../../lib/api'
import type { SharedTilesInput } from '../../../../src/shared/reports/links'
import type { TileAnswer, TileContent, TilesEnd, TilesRequestInput } from '../../../../src/shared/reports/tiles'
import type { QueryResult } from '../../../../src/shared/query/result'
import { readLines } from './ndjson'
import { createTileStore, type TileState, type TileStore } from './tile-store'

/** An answer that came to its end. `datasets`: what it rests on, so that a page knows when it is old. */
interface PageAnswer {
  tiles: TileAnswer[]
  dataAsOf: string | null
  datasets: QueryResult['datasets']
  restricted: boolean
}

/** Where tiles are asked for, and by which headers. */
export interface TilesSource {
  path: string
  headers?: Record<string, string>
}

/** Asks for the tiles of a page and hands over each as it arrives. */
async function askTiles(
  { path, headers = {} }: TilesSource,
  request: TilesQuestion,
  onTile: (answer: TileAnswer) => void,
  signal: AbortSignal,
): Promise<TilesEnd> {
  const response = await apiFetch(path, { method: 'POST', body: JSON.stringify(request), headers, signal })
  if (!response.body) throw new NetworkError(undefined)
  // What arrived together is handed over without a pause, so that it is drawn at once.
  for await (const lines of readLines(response.body))
    for (const text of lines) {
      const line: TileAnswer | TilesEnd = JSON.parse(text)
      if ('end' in line) return line
      onTile(line)
    }
  // The connection broke: what is missing will not come.
  throw new NetworkError(undefined)
}

function resultsOf(content: TileContent): QueryResult[] {
  switch (content.kind) {
    case 'chart':
      return [content.result]
    case 'kpis':
      return content.figures.flatMap((one) => ('result' in one ? [one.result] : []))
    case 'text':
    case 'observation':
      return Object.values(content.tokens).flatMap((one) => ('figure' in one ? [one.figure.result] : []))
    case 'forecast':
    case 'statement':
      return []
  }
}

function pageAnswer(tiles: TileAnswer[], { dataAsOf }: TilesEnd): PageAnswer {
  const results = tiles.flatMap((one) => ('content' in one ? resultsOf(one.content) : []))
  const datasets = new Map(results.flatMap((result) => result.datasets).map((one) => [one.id, one]))
  return { tiles, dataAsOf, datasets: [...datasets.values()], restricted: results.some((one) => one.restricted) }
}

type TilesQuestion = TilesRequestInput | SharedTilesInput
const sourceOf = ({ reportId, source }: Pick<TilesOptions, 'reportId' | 'source'>): TilesSource =>
  source ?? { path: `/api/reports/${reportId}/tiles` }

interface TilesOptions {
  reportId: string
  /** Null: nothing is asked yet. */
  request: TilesQuestion | null
  /** Instead of the report of a member. */
  source?: TilesSource | undefined
  /** Blocks of the page that show figures. */
  blocks: readonly string[]
  /** Names what is asked of, where that changes under the same question. */
  saved?: string | undefined
  /** Asks again after so many ms. */
  refetchInterval?: number | false
}

/** Drawing each tile by itself takes longer than drawing all that came between two frames. */
function takeByFrame(store: TileStore, signal: AbortSignal) {
  let waiting: TileAnswer[] = []
  let frame: number | null = null
  const flush = (): void => {
    if (frame !== null) cancelAnimationFrame(frame)
    frame = null
    const now = waiting
    waiting = []
    // Of a question that is not asked any more nothing is shown.
    if (!signal.aborted) now.forEach(store.take)
  }
  const take = (tile: TileAnswer): void => {
    waiting.push(tile)
    frame ??= requestAnimationFrame(flush)
  }
  return { take, flush }
}

const tilesKey = (reportId: string): string[] => ['figures', 'report', reportId]
const pageTilesQuery = ({ reportId, request, blocks, source, saved = '' }: TilesOptions, store: TileStore) =>
  queryOptions({
    queryKey: [...tilesKey(reportId), request, saved],
    queryFn: async ({ signal }): Promise<PageAnswer> => {
      if (!request || blocks.length === 0) return { tiles: [], dataAsOf: null, datasets: [], restricted: false }
      const tiles: TileAnswer[] = []
      const frames = takeByFrame(store, signal)
      store.begin(blocks)
      try {
        const onTile = (tile: TileAnswer): void => {
          tiles.push(tile)
          frames.take(tile)
        }
        const end = await askTiles(sourceOf({ reportId, source }), request, onTile, signal)
        frames.flush()
        return pageAnswer(tiles, end)
      } catch (error) {
        frames.flush()
        if (!signal.aborted) store.fail(blocks, error instanceof Error ? error : new NetworkError(error))
        throw error
      }
    },
    structuralSharing: false,
  })

export interface PageTiles {
  store: TileStore
  dataAsOf: string | null
  restricted: boolean
  datasetIds: string[]
  fetching: boolean
  error: Error | null
  /** Asks again for everything, or for one block. */
  retry: (block?: string) => void
}

/** Asks what a page is about to ask, before it is drawn for it. */
export function useTilesAhead(
  { reportId, saved }: Pick<TilesOptions, 'reportId' | 'saved'>,
  store: TileStore,
): (asked: Pick<TilesOptions, 'request' | 'blocks'>) => void {
  const client = useQueryClient()
  return useCallback(
    (asked) => {
      const next = pageTilesQuery({ reportId, saved, ...asked }, store)
      const hash = hashKey(next.queryKey)
      // A question that no page has shown yet is let go of by none: its late answer would take the place of this one's.
      const isOther = ({ queryHash }: { queryHash: string }): boolean => queryHash !== hash
      void client.cancelQueries({ queryKey: tilesKey(reportId), predicate: isOther })
      void client.prefetchQuery(next)
    },
    [client, reportId, saved, store],
  )
}

/** The figures of a page: one question for all of them, and each is told to who draws it as it arrives. */
export function useTiles(options: TilesOptions): PageTiles {
  const { reportId, request, source, refetchInterval = false } = options
  const [store] = useState(createTileStore)
  const own = pageTilesQuery(options, store)
  const query = useQuery({ ...own, enabled: request !== null, refetchInterval })
  const [last, setLast] = useState<PageAnswer | null>(null)
  if (query.data && query.data !== last) setLast(query.data)
  // An answer that was kept from before goes to the tiles as well.
  const key = hashKey(own.queryKey)
  useEffect(() => {
    query.data?.tiles.forEach(store.take)
  }, [key, query.data, store])
  const { refetch } = query
  const retry = useCallback(
    (block?: string): void => {
      if (block === undefined || !request) return void refetch()
      store.begin([block])
      askTiles(
        sourceOf({ reportId, source }),
        { ...request, blocks: [block] },
        store.take,
        new AbortController().signal,
      ).then(
        () => store.fail([block], new NetworkError(undefined)),
        (error: unknown) => store.fail([block], error instanceof Error ? error : new NetworkError(error)),
      )
    },
    [reportId, request, source, store, refetch],
  )
  const shown = query.data ?? last
  return {
    store,
    dataAsOf: shown?.dataAsOf ?? null,
    restricted: shown?.restricted ?? false,
    datasetIds: shown?.datasets.map(({ id }) => id) ?? [],
    fetching: query.isFetching,
    error: query.error,
    retry,
  }
}

const NO_STORE = createTileStore()
export const TileStoreContext = createContext<TileStore>(NO_STORE)

/** The figures of one block. */
export function useTile(block: string): TileState {
  const store = useContext(TileStoreContext)
  return useSyncExternalStore(
    (listener) => store.subscribe(block, listener),
    () => store.get(block),
  )
}

/** The newest good figures of one block. Whether others are on their way is not told: most of a tile looks the same then. */
export function useTileContent(block: string): TileContent | null {
  const store = useContext(TileStoreContext)
  return useSyncExternalStore(
    (listener) => store.subscribe(block, listener),
    () => store.get(block).content,
  )
}

/** Whether a tile may not be seen at all, as opposed to being out of order. */
export const isForbidden = ({ error }: TileState): boolean => error?.code === 'forbidden' || error?.code === 'not_found'
export const toError = (state: TileState): Error | null =>
  state.broken ?? (state.error ? new ApiError(0, state.error) : null)
