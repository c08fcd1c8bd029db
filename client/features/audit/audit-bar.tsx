import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { shortId } from './audit-days'
import classes from './audit.module.css'
import { actorsQuery } from './queries'
import type { AuditFilter } from './queries'
import { useAuditFilter } from './use-audit-filter'
import type { AuditItem } from '../../../src/shared/audit'
import { AUDIT_KINDS, wordsOfAction } from '../../../src/shared/audit-words'

/** Person, kind and days. `items`: what is shown, which names people who have left the workspace. */
export function AuditBar({ items }: { items: readonly AuditItem[] }) {
  const { filter, setFilter, narrowed } = useAuditFilter()
  const { data: members } = useQuery(actorsQuery())
  const set = (key: keyof AuditFilter, value: string | null): void => {
    const { [key]: _old, ...rest } = filter
    setFilter(value === null || value === '' ? rest : { ...rest, [key]: value })
  }
  const backwards = filter.from !== undefined && filter.to !== undefined && filter.from > filter.to
  return (
    <div className={classes.bar}>
      <Select
        label="Person"
        placeholder="Anybody"
        data={peopleOf(members ?? [], { items, actor: filter.actor })}
        value={filter.actor ?? null}
        onChange={(value) => set('actor', value)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Anybody' }}
      />
      <Select
        label="Kind"
        placeholder="Anything"
        data={kindsWith(filter.action)}
        value={filter.action ?? null}
        onChange={(value) => set('action', value)}
        clearable
        clearButtonProps={{ 'aria-label': 'Anything' }}
      />
      <TextInput
        type="date"
        label="From"
        value={filter.from ?? ''}
        onChange={(event) => set('from', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To"
        value={filter.to ?? ''}
        error={backwards && 'Ends before it begins.'}
        onChange={(event) => set('to', event.currentTarget.value)}
      />
      {narrowed && (
        <Group gap="sm" className={classes.narrowed}>
          {filter.entityId !== undefined && (
            <Text size="sm" c="dimmed">
              Only about {shortId(filter.entityId)}
            </Text>
          )}
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

interface Choice {
  value: string
  label: string
}

/** People of the workspace, and whom the shown lines name beside them. */
function peopleOf(
  members: readonly { userId: string; name: string }[],
  shown: { items: readonly AuditItem[]; actor: string | undefined },
): Choice[] {
  const names = new Map(shown.items.flatMap(({ actor }) => (actor ? [[actor.userId, actor.name] as const] : [])))
  for (const { userId, name } of members) names.set(userId, name)
  if (shown.actor !== undefined && !names.has(shown.actor)) names.set(shown.actor, shortId(shown.actor))
  return [...names].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label))
}

/** The kinds, and an action of its own when the address asks for one. */
function kindsWith(action: string | undefined): Choice[] {
  const kinds = AUDIT_KINDS.map(({ prefix, label }): Choice => ({ value: prefix, label }))
  if (action === undefined || kinds.some(({ value }) => value === action)) return kinds
  return [...kinds, { value: action, label: wordsOfAction(action) }]
}
