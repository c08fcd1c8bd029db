import { Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PilotOverview } from '../../../src/shared/pilot/pilot'
import { useFormat } from '../../lib/format'
import { MutedText } from '../../ui/muted-text'
import { notifyError } from '../../ui/notify-error'
import { SectionCard } from '../../ui/section-card'
import classes from './pilot.module.css'
import { pilotOverviewQuery, setPilotSwitch } from './queries'

type OverviewItem = PilotOverview['items'][number]

/** For the operator alone: who takes part over all workspaces, what they say, and the kill switch of each feature. */
export function OperatorPanel() {
  const { data } = useQuery({ ...pilotOverviewQuery(), retry: false })
  // A sign-in that is too old for administration shows nothing of it.
  if (!data) return null
  return (
    <SectionCard title="Early access, all workspaces" description="Visible to staff only.">
      <ul className={classes.list} aria-label="Kill switches">
        {data.items.map((item) => (
          <SwitchItem key={item.key} item={item} />
        ))}
      </ul>
    </SectionCard>
  )
}

function SwitchItem({ item }: { item: OverviewItem }) {
  const format = useFormat()
  const [reason, setReason] = useState('')
  const [pending, setPending] = useState(false)
  const { key, title, stopped, workspaces, people, interested, score, feedback } = item
  const save = (next: boolean): void => {
    setPending(true)
    void setPilotSwitch(key, { stopped: next, reason })
      .then(() => setReason(''))
      .catch(notifyError)
      .finally(() => setPending(false))
  }
  const grade = score === null ? 'no feedback' : `${format.decimal(score, 1)} of 5`
  return (
    <li className={classes.item}>
      <Text fw={600}>{title}</Text>
      <MutedText>
        {`${format.count(workspaces)} workspaces, ${format.count(people)} people, ${format.count(interested)} interested, ${grade}`}
      </MutedText>
      {feedback.slice(0, 3).map(({ at, text, score: given }) => (
        <MutedText key={at} size="xs">{`${given}: ${text === '' ? '–' : text}`}</MutedText>
      ))}
      {stopped ? (
        <Group gap="xs">
          <Text size="sm">{`Stopped ${format.dateTime(stopped.at)}: ${stopped.reason}`}</Text>
          <Button size="xs" variant="default" loading={pending} onClick={() => save(false)}>
            Resume
          </Button>
        </Group>
      ) : (
        <Group gap="xs" align="flex-end">
          <TextInput
            size="xs"
            label="Reason"
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button size="xs" color="red" loading={pending} disabled={reason.trim() === ''} onClick={() => save(true)}>
            Stop everywhere
          </Button>
        </Group>
      )}
    </li>
  )
}
