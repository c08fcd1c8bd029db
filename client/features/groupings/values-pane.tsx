import { Button, Checkbox, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { GroupingEditorContext } from './grouping-editor'
import classes from './groupings.module.css'
import { MoveToGroup } from './move-to'
import { valuesQuery } from './queries'
import { ValueRow } from './value-row'
import { useFormat } from '../../lib/format'
import { ErrorState } from '../../ui/error-state'
import { matchableText, createGroupLookup } from '../../../src/shared/grouping-lookup'
import type { GroupedValue } from '../../../src/shared/groupings'

/** Values of the data with what they weigh, and where each would belong by what is edited. */
export function ValuesPane(groupingEditorContext: GroupingEditorContext) {
  const { grouping, validityPeriod, may } = groupingEditorContext
  const format = useFormat()
  const [onlyUngrouped, setOnlyUngrouped] = useState(true)
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 300)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  // What a rule of the draft gives a group is told at once: stored or not, all values are asked for then.
  const list = useInfiniteQuery(
    valuesQuery({ id: grouping.id, version: grouping.version, unmatched: onlyUngrouped && grouping.groupCount > 0, q }),
  )
  const { groupOf } = createGroupLookup(validityPeriod)
  const valuesWithGroup = (list.data?.pages ?? []).flatMap(({ items }) =>
    items.map((item) => ({ ...item, groupId: item.member === null ? null : groupOf(matchableText(item.member)) })),
  )
  const shown = valuesWithGroup.filter(({ groupId }) => !onlyUngrouped || groupId === null)
  const first = list.data?.pages[0]
  const toggleSelected = (member: string): void => {
    const next = new Set(selected)
    if (!next.delete(member)) next.add(member)
    setSelected(next)
  }
  const choosable = shown.flatMap(({ member }) => (member === null ? [] : [member]))
  const all = choosable.length > 0 && choosable.every((member) => selected.has(member))
  return (
    <section className={`surface ${classes.pane}`} aria-label="Values">
      <Group gap="sm" p="md" className={classes.head}>
        <SegmentedControl
          size="xs"
          aria-label="Which values"
          value={onlyUngrouped ? 'loose' : 'all'}
          data={[
            { value: 'loose', label: 'Without a group' },
            { value: 'all', label: 'All values' },
          ]}
          onChange={(value) => setOnlyUngrouped(value === 'loose')}
        />
        <TextInput
          size="xs"
          className={classes.search}
          aria-label="Find a value"
          placeholder="Find a value"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Group>
      {may && shown.length > 0 && (
        <Group gap="sm" px="md" py="xs" className={classes.tools}>
          <Checkbox
            size="sm"
            label={selected.size === 0 ? 'All shown' : `${format.count(selected.size)} chosen`}
            checked={all}
            indeterminate={!all && selected.size > 0}
            onChange={() => setSelected(all ? new Set() : new Set(choosable))}
          />
          <MoveToGroup {...groupingEditorContext} values={[...selected]} onMoved={() => setSelected(new Set())} />
          {first?.amount && (
            <Text size="xs" c="dimmed" ml="auto">
              Rows and {first.amount.label}
            </Text>
          )}
        </Group>
      )}
      {list.isPending && <ValuesSkeleton />}
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {first && shown.length === 0 && <NoMatchingValues loose={onlyUngrouped} q={q} />}
      <ul className={classes.values} aria-label="Values of the data">
        {shown.map((item) => (
          <ValueRow
            key={valueKey(item)}
            item={item}
            group={validityPeriod.groups.find(({ id }) => id === item.groupId) ?? null}
            amount={first?.amount ?? null}
            isSelected={item.member !== null && selected.has(item.member)}
            selectedValues={selected}
            onToggle={may ? toggleSelected : null}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Group justify="center" p="sm">
          <Button
            size="xs"
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
    </section>
  )
}

const valueKey = ({ value, member }: GroupedValue): string => `${member === null ? 'empty' : 'is'} ${String(value)}`

function NoMatchingValues({ loose, q }: { loose: boolean; q: string }) {
  const words =
    q !== '' ? 'No value holds this text.' : loose ? 'Every value has a group.' : 'The data holds no values.'
  return (
    <Text c="dimmed" p="md">
      {words}
    </Text>
  )
}

const ValuesSkeleton = () => (
  <Stack gap="sm" p="md" aria-hidden>
    {[70, 52, 61, 44, 58].map((width) => (
      <Skeleton key={width} h={14} w={`${width}%`} />
    ))}
  </Stack>
)
