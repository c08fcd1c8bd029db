import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/links'
import { UpgradePrompt } from '../../ui/upgrade-prompt'
import { forecastsQuery } from './queries'

/** Shows its children while the plan has room for another forecast; says so before one is set up, not after. */
export function ForecastLimitGate({ children }: { children: ReactNode }) {
  const format = useFormat()
  const may = useMayWrite('edit:forecast')
  const max = useSession().workspace?.entitlements.features.activeForecasts ?? null
  const list = useInfiniteQuery({ ...forecastsQuery(), enabled: may && max !== null })
  const used = list.data?.pages.flatMap(({ items }) => items).length ?? 0
  if (!may || max === null || used < max) return children
  return (
    <UpgradePrompt
      need={{ kind: 'limit', limit: 'activeForecasts', count: used + 1 }}
      title={`All ${format.count(max)} active forecasts are in use`}
      sentence="Change one you have, or delete one that is not needed."
      secondaryAction={
        <LinkButton to="/forecasts" variant="default">
          See your forecasts
        </LinkButton>
      }
    />
  )
}
