import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { describeRule } from './grouping-words'
import { RuleFields } from './rule-fields'
import type { GroupingKind, GroupingRule } from '../../../src/shared/groupings'

const RULE_TEMPLATES: Record<string, { label: string; rule: GroupingRule; kinds: readonly GroupingKind[] }> = {
  startsWith: { label: 'Begins with', rule: { kind: 'startsWith', value: '' }, kinds: ['values', 'rules', 'accounts'] },
  contains: { label: 'Contains', rule: { kind: 'contains', value: '' }, kinds: ['values', 'rules'] },
  equals: { label: 'Is', rule: { kind: 'equals', value: '' }, kinds: ['values', 'rules', 'ranges', 'accounts'] },
  accounts: { label: 'Accounts from … to', rule: { kind: 'accounts', from: 3000, to: 3099 }, kinds: ['accounts'] },
  range: { label: 'Numbers from … to', rule: { kind: 'range', from: 0, to: null }, kinds: ['ranges', 'rules'] },
  regex: { label: 'Matches an expression', rule: { kind: 'regex', pattern: '.' }, kinds: ['values', 'rules'] },
}

export interface RuleListProps {
  kind: GroupingKind
  rules: readonly GroupingRule[]
  onChange: (rules: GroupingRule[]) => void
}

/** How values come to a group beside being moved there. */
export function RuleList({ kind, rules, onChange }: RuleListProps) {
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        What belongs to it
      </Text>
      {rules.length === 0 && (
        <Text size="sm" c="dimmed">
          Values that are moved here, and whatever a rule matches.
        </Text>
      )}
      {rules.map((rule, n) => (
        <Group key={`${n} ${rule.kind}`} gap="xs" align="flex-start" wrap="nowrap">
          <RuleFields rule={rule} onChange={(changed) => onChange(rules.with(n, changed))} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={`Remove “${describeRule(rule)}”`}
            onClick={() => onChange(rules.filter((_, at) => at !== n))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} w="fit-content">
            Add rule
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(RULE_TEMPLATES)
            .filter(([, { kinds }]) => kinds.includes(kind))
            .map(([name, { label, rule }]) => (
              <Menu.Item key={name} onClick={() => onChange([...rules, rule])}>
                {label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </Stack>
  )
}
