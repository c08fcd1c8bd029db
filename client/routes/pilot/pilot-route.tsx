import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Button, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { AlertDialog } from '../../features/alerts/alert-dialog'
import { DigestCard } from '../../features/alerts/alerts-screen'
import { digestQuery } from '../../features/alerts/queries'
import { BriefingSection, useBriefingPending } from '../../features/briefing/briefing-section'
import { FindingItem } from '../../features/findings/finding-item'
import { metricQuery } from '../../features/metrics/queries'
import { EarlyAccess } from '../../features/pilot/early-access'
import { findingMemberName, type Finding } from '../../../src/shared/findings'
import { useMayWrite } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { insightQuery } from '../../lib/queries/insight-queries'
import { INLINE_ACTION, LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { UpgradePrompt } from '../../ui/upgrade-prompt'

const route = getRouteApi('/app/pilot')

/** What changed since the last visit, and features that are not for everybody yet. */
export function PilotRoute() {
  const { state = 'open', source, kind } = route.useSearch()
  const navigate = route.useNavigate()
  const [alerting, setAlerting] = useState<Finding | null>(null)
  const hasPlan = useSession().workspace?.entitlements.features.aiAssistant ?? false
  const isBriefingPending = useBriefingPending({ state, source, kind }, hasPlan)
  // What stands below both waits for them, and does not move when they come.
  const isPending = useQuery({ ...digestQuery(), enabled: hasPlan }).isPending || isBriefingPending
  const header = <PageHeader title="Pilot" description="What changed in your data, and new features to try." />
  if (!hasPlan)
    return (
      <>
        {header}
        <UpgradePrompt
          need={{ kind: 'gate', gate: 'aiAssistant' }}
          title="Pilot isn’t included"
          sentence="The briefing tells what changed in your data after every import."
        />
      </>
    )
  return (
    <>
      {header}
      <Stack gap="xl">
        <BriefingSection
          search={{ state, source, kind }}
          onSearch={(next) =>
            void navigate({
              search: (old) => ({ ...old, ...next, state: next.state === 'open' ? undefined : next.state }),
              replace: true,
            })
          }
          renderFinding={(finding, { isLead, source, actions }) => (
            <FindingItem key={finding.id} finding={finding} isLead={isLead} source={source}>
              <FindingWays finding={finding} onAlert={() => setAlerting(finding)} />
              {actions}
            </FindingItem>
          )}
          mail={<DigestCard />}
        />
        {!isPending && <EarlyAccess />}
      </Stack>
      {alerting && <FindingAlert finding={alerting} onClose={() => setAlerting(null)} />}
    </>
  )
}

/** Where a finding leads: to its figure, to what comes next, and to hearing of it. */
function FindingWays({ finding, onAlert }: { finding: Finding; onAlert: () => void }): ReactNode {
  const mayCreate = useMayWrite('create:insight')
  const mayForecast = useMayWrite('edit:forecast')
  const mayAlert = useMayWrite('edit:alert')
  const { metric, insights, dataset } = finding.about
  const [insight] = insights
  if (metric === null && insight === undefined)
    return mayCreate ? (
      <LinkButton to="/insights/new" search={{ dataset }} {...INLINE_ACTION}>
        Create insight
      </LinkButton>
    ) : null
  return (
    <>
      {insight === undefined ? (
        <LinkButton to="/metrics/$id" params={{ id: metric ?? '' }} {...INLINE_ACTION}>
          View metric
        </LinkButton>
      ) : (
        <LinkButton to="/insights/$id" params={{ id: insight }} {...INLINE_ACTION}>
          View insight
        </LinkButton>
      )}
      {mayForecast && (
        <LinkButton
          to="/forecasts/new"
          search={insight === undefined ? { metric: metric ?? '' } : { insight }}
          {...INLINE_ACTION}
        >
          Forecast
        </LinkButton>
      )}
      <LinkButton to="/insight-bot" search={{ q: questionAbout(finding) }} {...INLINE_ACTION}>
        Ask the bot
      </LinkButton>
      {mayAlert && (
        <Button {...INLINE_ACTION} onClick={onAlert}>
          Add alert
        </Button>
      )}
    </>
  )
}

/** "Why did Profit for East change?" The bot answers it with what the change is made of. */
const questionAbout = ({ about, member }: Finding): string =>
  `Why did ${about.label}${member ? ` for ${findingMemberName(member)}` : ''} change?`

/** A new alert about the figure of a finding, once it is known what that is. */
function FindingAlert({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const { metric: metricId, insights } = finding.about
  const insightId = insights[0] ?? ''
  const insight = useQuery({ ...insightQuery(insightId), enabled: insightId !== '' })
  const metric = useQuery({ ...metricQuery(metricId ?? ''), enabled: insightId === '' && metricId !== null })
  if (insight.data) return <AlertDialog alert={null} insight={insight.data} onClose={onClose} />
  return metric.data ? <AlertDialog alert={null} metric={metric.data} onClose={onClose} /> : null
}
