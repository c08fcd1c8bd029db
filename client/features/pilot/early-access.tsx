import { Button, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { planById } from '../../../src/shared/billing/plans'
import type { EnrolmentState, PilotStage } from '../../../src/shared/pilot/features'
import type { PilotItem } from '../../../src/shared/pilot/pilot'
import { pilotQuery } from '../../lib/plan/early-access'
import { useFormat } from '../../lib/format'
import { useIsViewingAs, useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { confirmAction } from '../../ui/forms/confirm-dialog'
import { MutedText } from '../../ui/muted-text'
import { NeutralBadge } from '../../ui/neutral-badge'
import { notifyError } from '../../ui/notify-error'
import { QueryError } from '../../ui/query-view'
import { SectionCard } from '../../ui/section-card'
import { FeedbackForm } from './feedback-form'
import { OperatorPanel } from './operator-panel'
import classes from './pilot.module.css'
import { savePilot } from './queries'

const STAGE_LABELS: Record<PilotStage, string> = {
  concept: 'Concept',
  alpha: 'Alpha',
  beta: 'Beta',
  general: 'For everyone',
}

/** Features that are tried, and the way into and out of each. */
export function EarlyAccess() {
  const pilot = useQuery(pilotQuery())
  const isStaff = useSession().user?.staff ?? false
  return (
    <>
      <SectionCard title="Early access" description="Try new features before everyone gets them.">
        {pilot.isPending && <Skeleton height={120} role="status" aria-label="Loading" />}
        {pilot.error && !pilot.data && <QueryError query={pilot} />}
        {pilot.data &&
          (pilot.data.items.length === 0 ? (
            <MutedText role="status">No features in early access right now.</MutedText>
          ) : (
            <ul className={classes.list} aria-label="Features in early access">
              {pilot.data.items.map((item) => (
                <FeatureItem key={item.key} item={item} />
              ))}
            </ul>
          ))}
      </SectionCard>
      {isStaff && <OperatorPanel />}
    </>
  )
}

function FeatureItem({ item }: { item: PilotItem }) {
  const format = useFormat()
  const { title, summary, stage, status, changes, limits, endsAt, startsAt, reason, on } = item
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <Title order={3}>{title}</Title>
        <NeutralBadge>{STAGE_LABELS[stage]}</NeutralBadge>
        {on && <NeutralBadge>On</NeutralBadge>}
      </div>
      <Text size="sm">{summary}</Text>
      {status === 'withdrawn' && <Text size="sm">{`Withdrawn. ${reason ?? ''}`}</Text>}
      {status === 'graduated' && <Text size="sm">{`Available to everyone since ${format.date(startsAt)}.`}</Text>}
      {status === 'soon' && <MutedText>{`Opens ${format.date(startsAt)}.`}</MutedText>}
      {status === 'open' && (
        <>
          <MutedText>{changes}</MutedText>
          <MutedText>{`Known limits: ${limits.join('. ')}. ${endsAt === null ? 'No end date yet' : `Trial ends ${format.date(endsAt)}`}.`}</MutedText>
        </>
      )}
      <Enrolment item={item} />
      {on && <FeedbackForm item={item} />}
    </li>
  )
}

/** Turns a feature on or off, for oneself and, by administrators, for everybody. */
function Enrolment({ item }: { item: PilotItem }) {
  const [pending, setPending] = useState(false)
  const isAdmin = useMay('edit:workspace')
  const isViewingAs = useIsViewingAs()
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  const { key, title, status, scope, risk, changes, own, workspace, on, requiredPlan } = item
  if (isViewingAs || readOnly !== null || status === 'withdrawn' || status === 'graduated') return null
  if (requiredPlan !== null)
    return <MutedText>{`Included from ${planById(requiredPlan)?.name ?? requiredPlan}.`}</MutedText>
  const run = (state: EnrolmentState, whom: 'me' | 'workspace'): void => {
    setPending(true)
    void savePilot(key, { state, for: whom, confirmed: true })
      .catch(notifyError)
      .finally(() => setPending(false))
  }
  const save = (state: EnrolmentState, whom: 'me' | 'workspace'): void => {
    if (state !== 'on' || risk === 'view') return run(state, whom)
    confirmAction({
      title: `Turn on ${title}?`,
      message: changes,
      confirm: 'Turn on',
      onConfirm: () => run(state, whom),
    })
  }
  if (status !== 'open')
    return (
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={pending}
          onClick={() => save(own === 'interested' ? 'off' : 'interested', 'me')}
        >
          {own === 'interested' ? 'Stop notifying me' : 'Notify me'}
        </Button>
      </Group>
    )
  const mayOwn = scope === 'user' && (risk === 'view' || isAdmin)
  return (
    <Group gap="xs">
      {mayOwn && (
        <Button
          size="xs"
          variant={on ? 'default' : 'filled'}
          loading={pending}
          onClick={() => save(on ? 'off' : 'on', 'me')}
        >
          {on ? 'Turn off for me' : 'Turn on for me'}
        </Button>
      )}
      {isAdmin && (
        <Button
          size="xs"
          variant="default"
          loading={pending}
          onClick={() => save(workspace === 'on' ? 'off' : 'on', 'workspace')}
        >
          {workspace === 'on' ? 'Turn off for the workspace' : 'Turn on for the workspace'}
        </Button>
      )}
      {workspace === 'on' && (
        <MutedText>{own === 'off' ? 'On for the workspace, off for you.' : 'On for the workspace.'}</MutedText>
      )}
      {scope === 'workspace' && !isAdmin && <MutedText>An admin turns this on.</MutedText>}
    </Group>
  )
}
