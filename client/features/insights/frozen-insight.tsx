import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { countLimitedInsights } from './counted-insights'
import { insightsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'

/** Why an insight cannot be changed, what goes on, and what brings it back. */
export function FrozenInsightNotice() {
  const format = useFormat()
  const max = useSession().workspace?.entitlements.features.customInsights ?? null
  const list = useInfiniteQuery(insightsQuery({ q: '', deleted: false }))
  if (max === null) return null
  const count = Math.max(max + 1, countLimitedInsights(list.data?.pages))
  return (
    <Alert color="yellow" icon={<IconSnowflake aria-hidden />} role="status" title="This insight is frozen">
      <Text size="sm">
        Your plan has room for {format.count(max)} custom insights, and this one is beyond it. It goes on showing
        current figures and can be exported. It can be changed again with a larger plan, or when another one is deleted.
      </Text>
      <UpgradeLine need={{ kind: 'limit', limit: 'customInsights', count }} />
    </Alert>
  )
}
