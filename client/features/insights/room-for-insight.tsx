import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { countLimitedInsights } from './counted-insights'
import { insightsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/links'
import { UpgradePrompt } from '../../ui/upgrade-prompt'

/** Shows its children while the plan has room for another insight; says so before one is built, not after. */
export function InsightLimitGate({ children }: { children: ReactNode }) {
  const format = useFormat()
  const may = useMayWrite('create:insight')
  const max = useSession().workspace?.entitlements.features.customInsights ?? null
  const list = useInfiniteQuery({ ...insightsQuery({ q: '', deleted: false }), enabled: may && max !== null })
  const used = countLimitedInsights(list.data?.pages)
  if (!may || max === null || used < max) return children
  return (
    <UpgradePrompt
      need={{ kind: 'limit', limit: 'customInsights', count: used + 1 }}
      title={`All ${format.count(max)} custom insights are in use`}
      sentence="Change one you have, or delete one that is not needed. Those of the sample and those kept from suggestions do not count."
      secondaryAction={
        <LinkButton to="/insights" variant="default">
          See your insights
        </LinkButton>
      }
    />
  )
}
