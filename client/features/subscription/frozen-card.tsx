import { Button, Group, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { useState } from 'react'
import { KeepDialog } from './keep-dialog'
import { PLANS_ID } from './plan-names'
import classes from './subscription.module.css'
import { KIND_WORDS, namesWords, frozenOf } from '../../lib/freezes'
import { GATE_WORDS } from '../../lib/upgrade-words'
import { SectionCard } from '../../ui/section-card'
import type { Freezes, SubscriptionView } from '../../../src/shared/subscription'

/** What is frozen and why, and how it comes back. */
export function FrozenCard({ view, frozen, off }: { view: SubscriptionView; frozen: Freezes; off: boolean }) {
  const [choosing, setChoosing] = useState(false)
  return (
    <SectionCard
      title="What is frozen, and why"
      description="There is more here than the plan has room for. Nothing is deleted: as soon as there is room, everything works again by itself."
    >
      <ul className={classes.rows}>
        {frozenOf(frozen).map((one) => (
          <FrozenKind key={one.kind} {...one} />
        ))}
        {frozen.gates.map((gate) => (
          <Row key={gate} title={GATE_WORDS[gate].name}>
            Not part of the plan: what was set up stays as it is and cannot be changed.
          </Row>
        ))}
      </ul>
      <Group gap="xs">
        {!off && !view.custom && (
          <Button component="a" href={`#${PLANS_ID}`} variant="default">
            Choose a larger plan
          </Button>
        )}
        {view.mayChoose && frozenOf(frozen).length > 0 && (
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
      {choosing && <KeepDialog freezes={frozen} onClose={() => setChoosing(false)} />}
    </SectionCard>
  )
}

/** One kind of thing of which the plan has too little room. */
function FrozenKind({ kind, max, count, names }: ReturnType<typeof frozenOf>[number]) {
  const { one, many, fate } = KIND_WORDS[kind]
  const title = `${names.length} of ${count} ${count === 1 ? one : many}; the plan has room for ${max}`
  return (
    <Row title={title} names={namesWords(names)}>
      {fate}
    </Row>
  )
}

function Row({ title, names, children }: { title: string; names?: string; children: string }) {
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
