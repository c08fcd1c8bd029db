import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Report } from '../../../../src/shared/reports/reports'
import type { ReportSchedule } from '../../../../src/shared/reports/schedules'
import { useMayWrite } from '../../../lib/gate'
import { SideDrawer } from '../../../ui/dialog'
import { EmptyState } from '../../../ui/empty-state'
import { QueryView } from '../../../ui/query-view'
import { TableSkeleton } from '../../../ui/skeletons'
import { DeliveryLog } from './delivery-log'
import { schedulesQuery } from './queries'
import { ScheduleForm } from './schedule-form'
import { ScheduleItem } from './schedule-item'

interface SchedulesDrawerProps {
  report: Report
  onClose: () => void
}
type View = { show: 'list' } | { show: 'form'; schedule: ReportSchedule | null } | { show: 'log'; id: string }

/** When a report is sent, to whom, and what became of it. */
export function SchedulesDrawer({ report, onClose }: SchedulesDrawerProps) {
  const [view, setView] = useState<View>({ show: 'list' })
  const list = useQuery(schedulesQuery(report.id))
  const mayWrite = useMayWrite('share:report')
  const back = (): void => setView({ show: 'list' })
  const titles = { list: 'Schedules', log: 'Delivery log', form: 'New schedule' }
  const title = view.show === 'form' && view.schedule ? 'Edit schedule' : titles[view.show]
  return (
    <SideDrawer opened onClose={onClose} position="right" size="lg" title={title}>
      {view.show === 'form' ? (
        <ScheduleForm report={report} schedule={view.schedule} onClose={back} />
      ) : view.show === 'log' ? (
        <DeliveryLog reportId={report.id} scheduleId={view.id} onClose={back} />
      ) : (
        <QueryView query={list} skeleton={<TableSkeleton count={3} />}>
          {(items) => (
            <ScheduleList
              {...{ report, items, mayWrite }}
              onEdit={(schedule) => setView({ show: 'form', schedule })}
              onLog={({ id }) => setView({ show: 'log', id })}
            />
          )}
        </QueryView>
      )}
    </SideDrawer>
  )
}

interface ScheduleListProps {
  report: Report
  items: readonly ReportSchedule[]
  mayWrite: boolean
  /** Null: a new one. */
  onEdit: (schedule: ReportSchedule | null) => void
  onLog: (schedule: ReportSchedule) => void
}

function ScheduleList({ report, items, mayWrite, onEdit, onLog }: ScheduleListProps) {
  const add = mayWrite && <Button onClick={() => onEdit(null)}>New schedule</Button>
  if (items.length === 0)
    return (
      <EmptyState
        title="No schedules yet"
        sentence="Email this report weekly, monthly or after a period ends."
        action={add || undefined}
      />
    )
  return (
    <Stack gap="md">
      {add && <Group justify="flex-end">{add}</Group>}
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {items.map((schedule) => (
          <ScheduleItem
            key={schedule.id}
            {...{ report, schedule, mayWrite }}
            onEdit={() => onEdit(schedule)}
            onLog={() => onLog(schedule)}
          />
        ))}
      </Stack>
    </Stack>
  )
}
