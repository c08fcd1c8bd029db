import { hashKey } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isOutdated, isEventDriven, isInvalidatedBy } from './live-keys'
import { shareSocket } from './live-tabs'
import { queryClient } from './query-client'
import { useSession } from './session'
import { sourcesFreshnessQuery } from './sources-freshness'
import type { LiveEvent, LiveMessage } from '../../src/shared/live'
import type { DataSource } from '../../src/shared/sources'

/** Pages in the background ask within this long after they were told. */
const BACKGROUND_MS = 2_000

interface LiveUpdatesDependencies {
  client: QueryClient
  random: () => number
  isVisible: () => boolean
}
const DEFAULT_DEPENDENCIES: LiveUpdatesDependencies = {
  client: queryClient,
  random: () => Math.random(),
  isVisible: () => document.visibilityState === 'visible',
}

/**
 * Turns what a page is told into what it asks again. What is stale is marked so at once and stays on screen until the
 * answer is there; pages in the background, and many at once, ask spread over time.
 */
export function liveUpdates({ client, random, isVisible }: LiveUpdatesDependencies = DEFAULT_DEPENDENCIES) {
  let waiting: LiveEvent[] = []
  // What was being asked when the page was told: the answer may be from before, though it comes after.
  let inFlightHashes = new Set<string>()
  let timer: number | null = null
  const refetchStale = (): void => {
    timer = null
    const [predicate, refetchHashes] = [isInvalidatedBy(waiting), inFlightHashes]
    waiting = []
    inFlightHashes = new Set()
    void client.refetchQueries({
      type: 'active',
      predicate: (query) => (query.state.isInvalidated || refetchHashes.has(query.queryHash)) && predicate(query),
    })
  }
  return {
    handleMessage: ({ events, spread }: LiveMessage): void => {
      const predicate = isInvalidatedBy(events)
      for (const { queryHash } of client.getQueryCache().findAll({ fetchStatus: 'fetching', predicate }))
        inFlightHashes.add(queryHash)
      void client.invalidateQueries({ refetchType: 'none', predicate })
      waiting.push(...events)
      timer ??= window.setTimeout(refetchStale, random() * (isVisible() ? spread : BACKGROUND_MS))
    },
    /** Something may have been missed: versions are asked once, and what they show to be old is asked again. */
    catchUp: (): void => {
      window.setTimeout(
        () => void client.invalidateQueries({ predicate: isEventDriven }),
        random() * (isVisible() ? 0 : BACKGROUND_MS),
      )
    },
    stop: (): void => {
      if (timer !== null) window.clearTimeout(timer)
      timer = null
    },
  }
}

/** Whenever the versions of the data come in, figures that are older than them are asked again. */
function refetchOnNewVersions(client: QueryClient): () => void {
  const versions = hashKey(sourcesFreshnessQuery().queryKey)
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryHash !== versions) return
    const sources: { items: DataSource[] } = event.query.state.data
    void client.invalidateQueries({
      predicate: (query) =>
        query.state.fetchStatus === 'idle' && isOutdated(sources.items.flatMap(({ datasets }) => datasets))(query),
    })
  })
}

/** Keeps what this page shows up to date while somebody is signed in and in a workspace. */
export function useLiveUpdates(): void {
  const { user, workspace } = useSession()
  const userId = user?.id
  const workspaceId = workspace?.id
  useEffect(() => {
    if (userId === undefined || workspaceId === undefined) return
    const updates = liveUpdates()
    const stopSocket = shareSocket({
      userId,
      workspaceId,
      onMessage: updates.handleMessage,
      onUp: (again) => again && updates.catchUp(),
      onDown: () => undefined,
    })
    const stopVersions = refetchOnNewVersions(queryClient)
    return () => {
      stopSocket()
      stopVersions()
      updates.stop()
    }
  }, [userId, workspaceId])
}
