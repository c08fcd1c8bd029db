import { Group, NumberInput, Text, TextInput } from '@mantine/core'
import { describeRule } from './grouping-words'
import type { GroupingRule } from '../../../src/shared/groupings'

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
