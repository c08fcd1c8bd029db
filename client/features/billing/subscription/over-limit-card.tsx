import { MutedText } from '../../../ui/muted-text'
import { QueryView } from '../../../ui/query-view'
import { DialogButtons } from '../../../ui/forms/form-dialog'
import { Button, Group, Stack, Text, Skeleton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { IconSnowflake } from '@tabler/icons-react'
import { useSaveRetainedItems, scheduledChangeQuery } from './queries'
import { RetainedItemPickers } from '../../../lib/plan/retained-item-pickers'
import {
  toRetainInput,
  currentlyRetained,
  overLimitByKind,
  RETAINED_KIND_LABELS,
  formatNameList,
} from '../../../lib/plan/retained-items'
import type { RetainedChoice } from '../../../lib/plan/retained-items'
import { FormError } from '../../../ui/forms/form-error'
import type { OverLimitSummary, PlanChoice, SubscriptionView } from '../../../../src/shared/billing/subscription'
import { PLANS_VIEW } from '../plan-prices'
import { SUBSCRIPTION_PAGE } from '../../../lib/plan/upgrade-offer'
import { LinkButton } from '../../../ui/buttons/links'
import classes from './subscription.module.css'
import { MemberOutcomes } from '../../../lib/plan/member-outcomes'
import { FEATURE_LABELS } from '../../../lib/plan/plan-labels'
import { SectionCard } from '../../../ui/section-card'
import { FormFooter } from '../../../ui/forms/form-footer'
import { Dialog } from '../../../ui/dialog'

/** Chooses what stays when the plan has room for some only. */
function RetainedItemsDialog({ freezes, onClose }: { freezes: OverLimitSummary; onClose: () => void }) {
  const [choice, setChoice] = useState<RetainedChoice>(() => currentlyRetained(freezes))
  const [isChosen, setChosen] = useState(false)
  const saveRetained = useSaveRetainedItems()
  const save = () =>
    saveRetained.mutate(toRetainInput(choice, freezes), {
      onSuccess: () => {
        notifications.show({ color: 'green', message: 'Choice saved' })
        onClose()
      },
    })
  return (
    <Dialog opened onClose={onClose} title="Choose what stays" size="lg">
      <Stack gap="lg">
        <Text size="sm">The rest is read-only, not deleted. By default the oldest stay.</Text>
        <RetainedItemPickers
          freezes={freezes}
          choice={choice}
          onChange={(next) => {
            setChoice(next)
            setChosen(true)
          }}
        />
        <MemberOutcomes summary={freezes} choice={isChosen ? choice : null} />
        <FormError error={saveRetained.error} />
        <DialogButtons
          submit="Save choice"
          cancel="Cancel"
          pending={saveRetained.isPending}
          onConfirm={save}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  )
}

/** Chooses beforehand what stays when a smaller plan begins. */
export function ScheduledRetention({ scheduled, version }: { scheduled: PlanChoice; version: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Choose what stays
      </Button>
      {open && <ScheduledRetentionDialog scheduled={scheduled} version={version} onClose={() => setOpen(false)} />}
    </>
  )
}

function ScheduledRetentionDialog(props: { scheduled: PlanChoice; version: number; onClose: () => void }) {
  const { scheduled, version, onClose } = props
  const change = useQuery(scheduledChangeQuery(scheduled, version))
  const freezes = change.data?.freezes
  if (freezes && overLimitByKind(freezes).length > 0) return <RetainedItemsDialog freezes={freezes} onClose={onClose} />
  return (
    <Dialog opened onClose={onClose} title="Choose what stays" size="lg">
      <QueryView query={change} skeleton={<Skeleton h={120} />}>
        {() => (
          <Stack gap="md">
            <Text size="sm">Everything fits the new plan.</Text>
            <FormFooter>
              <Button onClick={onClose}>Close</Button>
            </FormFooter>
          </Stack>
        )}
      </QueryView>
    </Dialog>
  )
}

/** What is frozen and why, and how it comes back. */
export function OverLimitCard({
  view,
  frozen,
  off,
}: {
  view: SubscriptionView
  frozen: OverLimitSummary
  off: boolean
}) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <SectionCard title="Over plan limits" description="Upgrade or remove items. Nothing is deleted.">
      <ul className={classes.rows}>
        {overLimitByKind(frozen).map((one) => (
          <OverLimitKind key={one.kind} {...one} />
        ))}
        {frozen.gates.map((gate) => (
          <OverLimitRow key={gate} title={FEATURE_LABELS[gate].name}>
            Not included in the plan: read-only.
          </OverLimitRow>
        ))}
      </ul>
      <MemberOutcomes summary={frozen} choice={null} />
      <Group gap="xs">
        {!off && !view.custom && (
          <LinkButton to={SUBSCRIPTION_PAGE} search={{ show: PLANS_VIEW }} variant="default">
            Upgrade plan
          </LinkButton>
        )}
        {view.mayChoose && overLimitByKind(frozen).length > 0 && (
          <Button variant="default" onClick={() => setChoosing(true)}>
            Choose what stays
          </Button>
        )}
      </Group>
      {isChoosing && <RetainedItemsDialog freezes={frozen} onClose={() => setChoosing(false)} />}
    </SectionCard>
  )
}

/** One kind of thing of which the plan has too little room. */
function OverLimitKind({ kind, max, count, names }: ReturnType<typeof overLimitByKind>[number]) {
  const { one, many, fate } = RETAINED_KIND_LABELS[kind]
  const title = `${names.length} of ${count} ${count === 1 ? one : many} over the limit of ${max}`
  return (
    <OverLimitRow title={title} names={formatNameList(names)}>
      {fate}
    </OverLimitRow>
  )
}

function OverLimitRow({ title, names, children }: { title: string; names?: string; children: string }) {
  return (
    <li className={classes.row}>
      <IconSnowflake size={18} aria-hidden />
      <div className={classes.rowWords}>
        <Text size="sm" fw={550}>
          {title}
        </Text>
        {names !== undefined && <Text size="sm">{names}</Text>}
        <MutedText>{children}</MutedText>
      </div>
    </li>
  )
}
