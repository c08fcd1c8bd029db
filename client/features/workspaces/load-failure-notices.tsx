import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { profileQuery } from '../../lib/queries/profile-query'
import { sourcesFreshnessQuery } from '../../lib/queries/data-source-queries'
import { useSession } from '../../lib/session'
import { LinkAnchor } from '../../ui/buttons/links'
import { loadErrorAdvice } from '../../../src/shared/data-sources/load-errors'
import type { DataSource, SyncRun } from '../../../src/shared/data-sources/data-sources'

/** A source with the newest of its loads that failed, of those nobody was told of here. */
export interface LoadFailure {
  source: Pick<DataSource, 'id' | 'name'>
  run: SyncRun
}

const endOf = ({ finishedAt }: SyncRun): string => finishedAt ?? ''
const failedRuns = ({ lastRuns }: Pick<DataSource, 'lastRuns'>): SyncRun[] =>
  lastRuns.filter(({ state }) => state === 'failed' || state === 'interrupted')

/** When the newest failed load of these sources ended (ISO); empty without any. */
export const newestFailure = (sources: readonly Pick<DataSource, 'lastRuns'>[]): string =>
  sources.flatMap(failedRuns).map(endOf).toSorted().at(-1) ?? ''

/** What failed after `told` (ISO), one for each source: tables of one drop fail together. */
export const failuresSince = (sources: readonly DataSource[], told: string): LoadFailure[] =>
  sources.flatMap((source) => {
    const run = failedRuns(source)
      .filter((one) => endOf(one) > told)
      .toSorted((a, b) => endOf(a).localeCompare(endOf(b)))
      .at(-1)
    return run ? [{ source, run }] : []
  })

/** Up to which failure this browser has told the person in this workspace; null = it never looked. */
const toldStore = (userId: string, workspaceId: string) => {
  const key = `insikt-failures-told:${userId}:${workspaceId}`
  return {
    read: (): string | null => localStorage.getItem(key),
    write: (told: string): void => {
      try {
        localStorage.setItem(key, told)
      } catch {
        // A full or forbidden store forgets what it was told of: a notice may come twice.
      }
    },
  }
}

const isOnPageOf = ({ id }: LoadFailure['source']): boolean => window.location.pathname === `/data-sources/${id}`

/** Whether the person is to hear of it: of their own loads always, of others' if they are mailed of those too. */
const isWanted = async (client: QueryClient, own: boolean): Promise<boolean> =>
  own || (await client.ensureQueryData(profileQuery())).notifications.loadFailed

function showFailure({ source, run }: LoadFailure): void {
  notifications.show({
    id: `load-failed-${source.id}`,
    color: 'red',
    autoClose: false,
    title: `Import failed: ${source.name}`,
    message: (
      <>
        <Text size="sm">
          {run.error?.message} {loadErrorAdvice(run)}
        </Text>
        <LinkAnchor
          to="/data-sources/$id"
          params={{ id: source.id }}
          size="sm"
          underline="always"
          onClick={() => notifications.hide(`load-failed-${source.id}`)}
        >
          View source
        </LinkAnchor>
      </>
    ),
  })
}

/**
 * Tells the person once, in one tab, of each load that failed while they were elsewhere in the product or away. The page of
 * the source itself says so without a notice.
 */
export function LoadFailureNotices() {
  const client = useQueryClient()
  const { user, workspace } = useSession()
  const { data } = useQuery(sourcesFreshnessQuery())
  const userId = user?.id
  const workspaceId = workspace?.id
  useEffect(() => {
    if (!data || userId === undefined || workspaceId === undefined) return
    const store = toldStore(userId, workspaceId)
    const told = store.read()
    const newest = newestFailure(data.items)
    if (told === null || newest > told) store.write(newest)
    if (told === null) return
    for (const failure of failuresSince(data.items, told))
      if (!isOnPageOf(failure.source))
        void isWanted(client, failure.run.actorId === userId)
          .then((wanted) => wanted && showFailure(failure))
          .catch(() => undefined)
  }, [client, data, userId, workspaceId])
  return null
}
