import { MutedText } from '../../ui/muted-text'
import { IconButton } from '../../ui/buttons/icon-button'
import { Group, NumberInput, Text, TextInput, Button, Menu, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { describeRule } from './describe-grouping'
import { regexProblem } from '../../../src/shared/groupings/validation'
import type { GroupingRule, GroupingKind } from '../../../src/shared/groupings/groupings'

const RULE_LABELS: Record<Exclude<GroupingRule['kind'], 'in'>, string> = {
  equals: 'is',
  startsWith: 'starts with',
  contains: 'contains',
  regex: 'matches',
  accounts: 'accounts',
  range: 'from',
}
const toNumberOrNull = (value: number | string): number | null => (typeof value === 'number' ? value : null)

interface RuleFieldsProps<Rule extends GroupingRule> {
  rule: Rule
  onChange: (rule: GroupingRule) => void
}

/** One rule with its fields. A list of values is changed by moving values. */
function RuleFields({ rule, onChange }: RuleFieldsProps<GroupingRule>) {
  if (rule.kind === 'in')
    return (
      <Text size="sm" style={{ flex: 1 }} lineClamp={3}>
        {rule.values.length > 12 ? describeRule(rule) : rule.values.join(', ')}
      </Text>
    )
  return (
    <Group gap="xs" style={{ flex: 1 }} wrap="nowrap">
      <Text size="sm" w={90}>
        {RULE_LABELS[rule.kind]}
      </Text>
      {rule.kind === 'accounts' || rule.kind === 'range' ? (
        <NumberRuleInputs rule={rule} onChange={onChange} />
      ) : (
        <TextRuleInput rule={rule} onChange={onChange} />
      )}
    </Group>
  )
}

type NumberRule = GroupingRule & { kind: 'accounts' | 'range' }

function TextRuleInput({ rule, onChange }: RuleFieldsProps<Exclude<GroupingRule, NumberRule | { kind: 'in' }>>) {
  if (rule.kind === 'regex')
    return (
      <TextInput
        size="xs"
        style={{ flex: 1 }}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        aria-label="Regular expression"
        maxLength={200}
        value={rule.pattern}
        error={regexProblem(rule.pattern)}
        onChange={(event) => onChange({ ...rule, pattern: event.currentTarget.value })}
      />
    )
  return (
    <TextInput
      size="xs"
      style={{ flex: 1 }}
      aria-label={`Value ${RULE_LABELS[rule.kind]}`}
      value={rule.value}
      onChange={(event) => onChange({ ...rule, value: event.currentTarget.value })}
    />
  )
}

const ACCOUNT_INPUT = { allowDecimal: false, allowNegative: false, w: 100 }
const RANGE_INPUT = { placeholder: 'any', w: 120 }

function NumberRuleInputs({ rule, onChange }: RuleFieldsProps<NumberRule>) {
  const isAccounts = rule.kind === 'accounts'
  const update = (end: 'from' | 'to', value: number | string): void => {
    const number = toNumberOrNull(value)
    onChange(rule.kind === 'accounts' ? { ...rule, [end]: number ?? 0 } : { ...rule, [end]: number })
  }
  const shared = { size: 'xs', hideControls: true, ...(isAccounts ? ACCOUNT_INPUT : RANGE_INPUT) }
  return (
    <>
      <NumberInput
        {...shared}
        aria-label={isAccounts ? 'First account' : 'From'}
        value={rule.from ?? ''}
        onChange={(value) => update('from', value)}
      />
      <Text size="sm">{isAccounts ? 'to' : 'under'}</Text>
      <NumberInput
        {...shared}
        aria-label={isAccounts ? 'Last account' : 'Below'}
        value={rule.to ?? ''}
        onChange={(value) => update('to', value)}
      />
    </>
  )
}

const RULE_TEMPLATES: Record<string, { label: string; rule: GroupingRule; kinds: readonly GroupingKind[] }> = {
  startsWith: { label: 'Starts with', rule: { kind: 'startsWith', value: '' }, kinds: ['values', 'rules', 'accounts'] },
  contains: { label: 'Contains', rule: { kind: 'contains', value: '' }, kinds: ['values', 'rules'] },
  equals: { label: 'Equals', rule: { kind: 'equals', value: '' }, kinds: ['values', 'rules', 'ranges', 'accounts'] },
  accounts: { label: 'Account range', rule: { kind: 'accounts', from: 3000, to: 3099 }, kinds: ['accounts'] },
  range: { label: 'Number range', rule: { kind: 'range', from: 0, to: null }, kinds: ['ranges', 'rules'] },
  regex: { label: 'Matches regex', rule: { kind: 'regex', pattern: '.' }, kinds: ['values', 'rules'] },
}

export interface RuleListProps {
  kind: GroupingKind
  rules: readonly GroupingRule[]
  onChange: (rules: GroupingRule[]) => void
}

export function RuleList({ kind, rules, onChange }: RuleListProps) {
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        What belongs to it
      </Text>
      {rules.length === 0 && <MutedText>No rules yet</MutedText>}
      {rules.map((rule, n) => (
        <Group key={`${n} ${rule.kind}`} gap="xs" align="flex-start" wrap="nowrap">
          <RuleFields rule={rule} onChange={(changed) => onChange(rules.with(n, changed))} />
          <IconButton
            icon={IconTrash}
            label={`Remove “${describeRule(rule)}”`}
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
