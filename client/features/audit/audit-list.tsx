import { Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { groupByDay } from './audit-days'
import type { AuditDay } from './audit-days'
import { AuditEntryRow } from './audit-line'
import classes from './audit.module.css'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import type { AuditItem } from '../../../src/shared/audit'

/** The lines under their days, on the workspace's clock. */
export function AuditList({ items }: { items: readonly AuditItem[] }) {
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  return (
    <Stack gap="lg">
      {groupByDay(items, timeZone).map((day) => (
        <AuditDaySection key={day.day} day={day} timeZone={timeZone} />
      ))}
      <Text size="xs" c="dimmed">
        Times are those of {timeZone.replaceAll('_', ' ')}.
      </Text>
    </Stack>
  )
}

function AuditDaySection({ day: { day, items }, timeZone }: { day: AuditDay; timeZone: string }) {
  const id = useId()
  const format = useFormat()
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="xs">
        {format.date(day)}
      </Title>
      <ul className={`surface ${classes.list}`}>
        {items.map((item) => (
          <AuditEntryRow key={item.id} item={item} timeZone={timeZone} />
        ))}
      </ul>
    </section>
  )
}
