import { Group, NumberInput, Text, TextInput, Button, Menu, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Hint } from '../../ui/hint'
import { IconButton } from '../../ui/icon-button'
import { describeRule } from './describe-grouping'
import type { GroupingRule, GroupingKind } from '../../../src/shared/groupings/groupings'

const RULE_LABELS = { equals: 'is', startsWith: 'begins with', contains: 'contains', regex: 'matches' } as const
const toNumberOrNull = (value: number | string): number | null => (typeof value === 'number' ? value : null)

/** One rule with its fields. A list of values is changed by moving values. */
export function RuleFields({ rule, onChange }: { rule: GroupingRule; onChange: (groupingRule: GroupingRule) => void }) {
  switch (rule.kind) {
    case 'in':
      return (
        <Text size="sm" style={{ flex: 1 }} lineClamp={3}>
          {rule.values.length > 12 ? describeRule(rule) : rule.values.join(', ')}
        </Text>
      )
    case 'equals':
    case 'startsWith':
    case 'contains':
      return (
        <Group gap="xs" style={{ flex: 1 }} wrap="nowrap">
          <Text size="sm" w={90}>
            {RULE_LABELS[rule.kind]}
          </Text>
          <TextInput
            size="xs"
            style={{ flex: 1 }}
            aria-label={`Text that the value ${RULE_LABELS[rule.kind]}`}
            value={rule.value}
            onChange={(event) => onChange({ ...rule, value: event.currentTarget.value })}
          />
        </Group>
      )
    case 'regex':
      return (
        <Group gap="xs" style={{ flex: 1 }} wrap="nowrap">
          <Text size="sm" w={90}>
            {RULE_LABELS.regex}
          </Text>
          <TextInput
            size="xs"
            style={{ flex: 1 }}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            aria-label="Expression that the value matches"
            maxLength={200}
            value={rule.pattern}
            onChange={(event) => onChange({ ...rule, pattern: event.currentTarget.value })}
          />
        </Group>
      )
    case 'accounts':
      return (
        <Group gap="xs" style={{ flex: 1 }} wrap="nowrap">
          <Text size="sm" w={90}>
            accounts
          </Text>
          <NumberInput
            size="xs"
            w={100}
            aria-label="First account"
            hideControls
            allowDecimal={false}
            allowNegative={false}
            value={rule.from}
            onChange={(value) => onChange({ ...rule, from: toNumberOrNull(value) ?? 0 })}
          />
          <Text size="sm">to</Text>
          <NumberInput
            size="xs"
            w={100}
            aria-label="Last account"
            hideControls
            allowDecimal={false}
            allowNegative={false}
            value={rule.to}
            onChange={(value) => onChange({ ...rule, to: toNumberOrNull(value) ?? 0 })}
          />
        </Group>
      )
    case 'range':
      return (
        <Group gap="xs" style={{ flex: 1 }} wrap="nowrap">
          <Text size="sm" w={90}>
            from
          </Text>
          <NumberInput
            size="xs"
            w={120}
            aria-label="From this number"
            hideControls
            placeholder="any"
            value={rule.from ?? ''}
            onChange={(value) => onChange({ ...rule, from: toNumberOrNull(value) })}
          />
          <Text size="sm">under</Text>
          <NumberInput
            size="xs"
            w={120}
            aria-label="Under this number"
            hideControls
            placeholder="any"
            value={rule.to ?? ''}
            onChange={(value) => onChange({ ...rule, to: toNumberOrNull(value) })}
          />
        </Group>
      )
  }
}

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
      {rules.length === 0 && <Hint>Values that are moved here, and whatever a rule matches.</Hint>}
      {rules.map((rule, n) => (
        <Group key={`${n} ${rule.kind}`} gap="xs" align="flex-start" wrap="nowrap">
          <RuleFields rule={rule} onChange={(changed) => onChange(rules.with(n, changed))} />
          <IconButton
            label={`Remove “${describeRule(rule)}”`}
            icon={IconTrash}
            size={30}
            onClick={() => onChange(rules.filter((_, at) => at !== n))}
          />
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
