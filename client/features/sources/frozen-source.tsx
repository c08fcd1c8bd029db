import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { sourcesQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'
import type { DataSource } from '../../../src/shared/sources'

/** Sources that count against the plan: those of the sample company do not. */
export const countLimitedSources = (items: readonly Pick<DataSource, 'sample'>[]): number =>
  items.filter(({ sample }) => !sample).length

/** Why a source takes no loads, what goes on, and what brings it back. */
export function SourceOverLimitNotice() {
  const format = useFormat()
  const max = useSession().workspace?.entitlements.features.dataSources ?? null
  const { data } = useQuery(sourcesQuery({ search: '', deleted: false }))
  if (max === null) return null
  const count = Math.max(max + 1, countLimitedSources(data?.items ?? []))
  return (
    <Alert color="yellow" icon={<IconSnowflake aria-hidden />} role="status" title="This source is frozen">
      <Text size="sm">
        Your plan has room for {max === 1 ? '1 data source' : `${format.count(max)} data sources`}, and this one is
        beyond it. Its rows stay readable, and every insight on them works. New loads and changes wait until there is
        room: with a larger plan, or when a source that is not needed is deleted.
      </Text>
      <UpgradeLine need={{ kind: 'limit', limit: 'dataSources', count }} />
    </Alert>
  )
}
