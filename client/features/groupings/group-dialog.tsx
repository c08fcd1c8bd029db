import { MutedText } from '../../ui/muted-text'
import { IconButton } from '../../ui/buttons/icon-button'
import { Button, Divider, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { GroupColorPicker } from './group-colors'
import { newGroupId, type GroupingEditorContext } from './grouping-draft'
import { RuleList } from './rule-list'
import { groupPaths, GROUP_DEPTH_MAX, type GroupNode } from '../../../src/shared/groupings/groupings'
import { FormFooter } from '../../ui/forms/form-footer'
import { Dialog } from '../../ui/dialog'

const NO_PARENT = ''

/** Name, colour, place and rules of a group. Every change is a step that can be undone. */
export function GroupDialog({
  group,
  onClose,
  ...editing
}: GroupingEditorContext & { group: GroupNode; onClose: () => void }) {
  const { at, act, validityPeriod } = editing
  const change = (part: Partial<Pick<GroupNode, 'name' | 'color' | 'parentId'>>): void =>
    act({ kind: 'group', at, id: group.id, change: part })
  const shift = (by: -1 | 1): void => act({ kind: 'shift', at, id: group.id, by })
  const depth = groupPaths(validityPeriod.groups).get(group.id)?.length ?? 1
  return (
    <Dialog opened onClose={onClose} title={group.name === '' ? 'Group' : group.name} size="lg">
      <Stack gap="md">
        <TextInput
          label="Name"
          value={group.name}
          maxLength={80}
          error={group.name.trim() === '' ? 'Enter a name.' : undefined}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <GroupColorPicker value={group.color} onChange={(color) => change({ color })} />
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <ParentGroupSelect {...editing} group={group} />
          <IconButton icon={IconArrowUp} label="Move up" variant="default" size={36} onClick={() => shift(-1)} />
          <IconButton icon={IconArrowDown} label="Move down" variant="default" size={36} onClick={() => shift(1)} />
        </Group>
        <Divider />
        <RuleList
          kind={editing.grouping.kind}
          rules={group.rules}
          onChange={(rules) => act({ kind: 'rules', at, id: group.id, rules })}
        />
        <Divider />
        <MutedText>Removing it ungroups its values; subgroups move up.</MutedText>
        <FormFooter
          aside={
            <>
              {depth < GROUP_DEPTH_MAX && (
                <Button
                  variant="default"
                  onClick={() => {
                    const name = uniqueName(validityPeriod.groups, `${group.name} subgroup`)
                    act({ kind: 'addGroup', at, id: newGroupId(), name, parentId: group.id, values: [] })
                  }}
                >
                  Add subgroup
                </Button>
              )}
              <Button
                variant="outline"
                color="red"
                onClick={() => {
                  onClose()
                  act({ kind: 'removeGroup', at, id: group.id })
                }}
              >
                Remove group
              </Button>
            </>
          }
        >
          <Button onClick={onClose}>Done</Button>
        </FormFooter>
      </Stack>
    </Dialog>
  )
}

function uniqueName(groups: readonly GroupNode[], name: string): string {
  const names = new Set(groups.map((group) => group.name))
  for (let n = 1; ; n++) {
    const candidate = (n === 1 ? name : `${name} ${n}`).slice(0, 80)
    if (!names.has(candidate)) return candidate
  }
}

/** The group that it lies in: any but itself and those within it. */
function ParentGroupSelect({ group, validityPeriod, at, act }: GroupingEditorContext & { group: GroupNode }) {
  const others = [...groupPaths(validityPeriod.groups).entries()].filter(
    ([, path]) => !path.some(({ id }) => id === group.id),
  )
  return (
    <Select
      label="Parent group"
      style={{ flex: '1 1 8rem', minWidth: 0 }}
      data={[
        { value: NO_PARENT, label: 'None' },
        ...others.map(([value, path]) => ({ value, label: path.map(({ name }) => name).join(' › ') })),
      ]}
      value={group.parentId ?? NO_PARENT}
      onChange={(value) =>
        act({ kind: 'group', at, id: group.id, change: { parentId: value === NO_PARENT ? null : value } })
      }
    />
  )
}
