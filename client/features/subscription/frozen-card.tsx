import { Button, Group, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { useState } from 'react'
import { RetainedItemsDialog } from './keep-dialog'
import { PLANS_ANCHOR } from './plan-names'
import classes from './subscription.module.css'
import { RETAINED_KIND_LABELS, formatNameList, overLimitByKind } from '../../lib/freezes'
import { FEATURE_LABELS } from '../../lib/upgrade-words'
import { SectionCard } from '../../ui/section-card'
import type { OverLimitSummary, SubscriptionView } from '../../../src/shared/subscription'

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
    <SectionCard
      title="What is frozen, and why"
      description="There is more here than the plan has room for. Nothing is deleted: as soon as there is room, everything works again by itself."
    >
      <ul className={classes.rows}>
        {overLimitByKind(frozen).map((one) => (
          <OverLimitKind key={one.kind} {...one} />
        ))}
        {frozen.gates.map((gate) => (
          <OverLimitRow key={gate} title={FEATURE_LABELS[gate].name}>
            Not part of the plan: what was set up stays as it is and cannot be changed.
          </OverLimitRow>
        ))}
      </ul>
      <Group gap="xs">
        {!off && !view.custom && (
          <Button component="a" href={`#${PLANS_ANCHOR}`} variant="default">
            Choose a larger plan
          </Button>
        )}
        {view.mayChoose && overLimitByKind(frozen).length > 0 && (
          <Button variant="default" onClick={() => setChoosing(true)}>
            Choose what stays
          </Button>
        )}
      </Group>
      {!view.mayChoose && (
        <Text size="sm" c="dimmed">
          Deleting what is not needed makes room as well.
        </Text>
      )}
      {isChoosing && <RetainedItemsDialog freezes={frozen} onClose={() => setChoosing(false)} />}
    </SectionCard>
  )
}

/** One kind of thing of which the plan has too little room. */
function OverLimitKind({ kind, max, count, names }: ReturnType<typeof overLimitByKind>[number]) {
  const { one, many, fate } = RETAINED_KIND_LABELS[kind]
  const title = `${names.length} of ${count} ${count === 1 ? one : many}; the plan has room for ${max}`
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
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
    </li>
  )
}
