import { Box } from '@mantine/core'
import { useIsFetching, useQuery } from '@tanstack/react-query'
import { oldestLoadedAt, sourcesFreshnessQuery, useSourceStatus } from '../../lib/sources-freshness'
import { FreshnessStrip } from '../../ui/freshness-strip'

/** How current the cards are, all together. */
export function ListFreshness() {
  const { data, error, dataUpdatedAt } = useQuery(sourcesFreshnessQuery())
  const sources = useSourceStatus()
  const newer = useIsFetching({ queryKey: ['figures'], predicate: ({ state }) => state.isInvalidated }) > 0
  if (!data && error) return null
  return (
    <Box mb="md" mih="1lh">
      {data && (
        <FreshnessStrip
          asOf={oldestLoadedAt(data.items)}
          updatedAt={dataUpdatedAt}
          loading={newer}
          failed={error !== null}
          sources={sources}
        />
      )}
    </Box>
  )
}
