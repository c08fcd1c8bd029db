import { DateField } from '../../ui/forms/date-field'
import { MutedText } from '../../ui/muted-text'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { actorsQuery, type AuditFilter } from './queries'
import { shortId } from './audit-format'
import classes from './audit.module.css'
import { AUDIT_FILTERS, describeAuditAction, type AuditItem } from '../../../src/shared/audit'

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/
const parseDay = (text: string | undefined): string | undefined =>
  text !== undefined && DAY_PATTERN.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** What the address asks for; days that are none are left out. */
export function useAuditFilter() {
  const { actor, action, entity, from, to } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [first, last] = [parseDay(from), parseDay(to)]
  const filter: AuditFilter = {
    ...(actor ? { actor } : {}),
    ...(action ? { action } : {}),
    ...(entity ? { entityId: entity } : {}),
    ...(first ? { from: first } : {}),
    ...(last ? { to: last } : {}),
  }
  const setFilter = ({ entityId, ...rest }: AuditFilter): void => {
    const search = { ...rest, ...(entityId === undefined ? {} : { entity: entityId }) }
    void navigate({ to: '/settings/workspace/audit', search, replace: true })
  }
  return { filter, setFilter, isFiltered: Object.keys(filter).length > 0 }
}

/** Person, kind and days. `items`: what is shown, which names people who have left the workspace. */
export function AuditFilterBar({ items }: { items: readonly AuditItem[] }) {
  const { filter, setFilter, isFiltered } = useAuditFilter()
  const { data: members } = useQuery(actorsQuery())
  const setField = (key: keyof AuditFilter, value: string | null): void => {
    const { [key]: _old, ...rest } = filter
    setFilter(value === null || value === '' ? rest : { ...rest, [key]: value })
  }
  const isReversed = filter.from !== undefined && filter.to !== undefined && filter.from > filter.to
  return (
    <div className={classes.bar}>
      <Select
        allowDeselect
        label="Person"
        placeholder="Anyone"
        data={actorOptions(members ?? [], { items, actor: filter.actor })}
        value={filter.actor ?? null}
        onChange={(value) => setField('actor', value)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear person' }}
      />
      <Select
        allowDeselect
        label="Type"
        placeholder="All types"
        data={kindOptions(filter.action)}
        value={filter.action ?? null}
        onChange={(value) => setField('action', value)}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear type' }}
      />
      <DateField label="From" value={filter.from ?? ''} onChange={(day) => setField('from', day)} />
      <DateField
        label="To"
        value={filter.to ?? ''}
        error={isReversed && 'Enter a later date.'}
        onChange={(day) => setField('to', day)}
      />
      {isFiltered && (
        <Group gap="sm" className={classes.narrowed}>
          {filter.entityId !== undefined && <MutedText>Only {shortId(filter.entityId)}</MutedText>}
          {items.length > 0 && (
            <Button size="xs" variant="subtle" onClick={() => setFilter({})}>
              Clear filters
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}

interface FilterOption {
  value: string
  label: string
}

/** People of the workspace, and whom the shown lines name beside them. */
function actorOptions(
  members: readonly { userId: string; name: string }[],
  shown: { items: readonly AuditItem[]; actor: string | undefined },
): FilterOption[] {
  const names = new Map(shown.items.flatMap(({ actor }) => (actor ? [[actor.userId, actor.name] as const] : [])))
  for (const { userId, name } of members) names.set(userId, name)
  if (shown.actor !== undefined && !names.has(shown.actor)) names.set(shown.actor, shortId(shown.actor))
  return [...names].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label))
}

/** The kinds, and an action of its own when the address asks for one. */
function kindOptions(action: string | undefined): FilterOption[] {
  const kinds = AUDIT_FILTERS.map(({ prefix, label }): FilterOption => ({ value: prefix, label }))
  if (action === undefined || kinds.some(({ value }) => value === action)) return kinds
  return [...kinds, { value: action, label: describeAuditAction(action) }]
}
