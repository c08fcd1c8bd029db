import { Group, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '../../../lib/queries/group-queries'
import type { FieldFilter } from '../../../../src/shared/query/plan'
import type { ReportFilter } from '../../../../src/shared/reports/reports'
import { MutedText } from '../../../ui/muted-text'
import { FilterControl } from '../view/filter-control'
import { memberRecipientsQuery } from './queries'
import type { ScheduleFormValues } from './form-values'

interface RecipientFilterFieldsProps {
  form: UseFormReturnType<ScheduleFormValues>
  filters: readonly ReportFilter[]
}

/** What each recipient's own copy is narrowed to, by the filters that the report has. */
export function RecipientFilterFields({ form, filters }: RecipientFilterFieldsProps) {
  const members = useQuery(memberRecipientsQuery())
  const groups = useQuery(groupsQuery())
  const { people, addresses, filters: own } = form.values
  const keys = [...people, ...addresses]
  if (filters.length === 0 || keys.length === 0) return null
  const nameOf = (key: string): string =>
    members.data?.find(({ userId }) => userId === key)?.name ??
    groups.data?.find(({ id }) => id === key)?.name ??
    (key.includes('@') ? key : 'Removed')
  const set = (key: string, id: string, value: FieldFilter | null): void =>
    form.setFieldValue('filters', { ...own, [key]: { ...own[key], [id]: value } })
  const valueOf = (key: string, filter: ReportFilter): FieldFilter | null => {
    const value = own[key]?.[filter.id]
    return value === undefined ? filter.filter : value
  }
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          Filters
        </Text>
        <MutedText size="xs">For each recipient. Outside addresses get only what these filters apply to.</MutedText>
      </div>
      {keys.map((key) => (
        <Group key={key} gap="xs" role="group" aria-label={nameOf(key)}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {nameOf(key)}
          </Text>
          {filters.map((filter) => (
            <FilterControl
              key={filter.id}
              filter={filter}
              value={valueOf(key, filter)}
              onChange={(value) => set(key, filter.id, value)}
            />
          ))}
        </Group>
      ))}
    </Stack>
  )
}
