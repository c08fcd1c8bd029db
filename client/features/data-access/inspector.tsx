import { Alert, Badge, Button, Group, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { AccessExplanation, ExplainedRule, InspectAccessInput } from '../../../src/shared/data-access/data-access'
import { capitalize } from '../../../src/shared/text'
import { useFormat } from '../../lib/format'
import { formatRowCount } from '../../../src/shared/figures/formatter'
import { humanizeLabel } from '../../lib/query-builder/catalogue'
import { parseScalar } from '../../lib/query-builder/filter-draft'
import { SideDrawer } from '../../ui/dialog'
import { MutedText } from '../../ui/muted-text'
import { QueryView } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import { useAccessNames, type AccessNames } from './access-names'
import { describeRows, describeValues, GRANT_LABELS } from './access-text'
import classes from './data-access.module.css'
import { accessExplanationQuery } from './queries'

export interface InspectorProps {
  userId: string
  dataset: string
  onClose: () => void
}
type AskedRow = InspectAccessInput['row']

/** Why somebody sees a dataset, or one row of it, as they do: rule by rule, column by column. */
export function Inspector({ userId, dataset, onClose }: InspectorProps) {
  const names = useAccessNames()
  const [person, setPerson] = useState(userId)
  const [data, setData] = useState(dataset)
  const [row, setRow] = useState<AskedRow>()
  const asked: InspectAccessInput = { userId: person, dataset: data, ...(row ? { row } : {}) }
  const explanation = useQuery({ ...accessExplanationQuery(asked), placeholderData: keepPreviousData })
  return (
    <SideDrawer opened onClose={onClose} position="right" size="lg" title="Why">
      <Stack gap="md">
        <Group gap="sm" grow>
          <Select
            label="Person"
            data={names.choices.member}
            value={person}
            searchable
            onChange={(next) => next && setPerson(next)}
          />
          <Select
            label="Dataset"
            data={names.choices.dataset}
            value={data}
            searchable
            onChange={(next) => {
              if (next) setData(next)
              setRow(undefined)
            }}
          />
        </Group>
        <RowFields key={data} columns={names.columnsOf(data)} onAsk={setRow} />
        <QueryView query={explanation} skeleton={<TableSkeleton count={4} />}>
          {(answer) => <Explanation answer={answer} names={names} />}
        </QueryView>
      </Stack>
    </SideDrawer>
  )
}

function RowFields({
  columns,
  onAsk,
}: {
  columns: ReturnType<AccessNames['columnsOf']>
  onAsk: (row: AskedRow) => void
}) {
  const [key, setKey] = useState<string | null>(null)
  const [value, setValue] = useState('')
  const column = columns.find((one) => one.key === key)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const typed = column ? parseScalar(value, column) : null
    onAsk(column && typed !== null ? { column: column.key, value: typed } : undefined)
  }
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <Select
          label="Row where"
          placeholder="Any column"
          data={columns.map((one) => ({ value: one.key, label: humanizeLabel(one.label) }))}
          value={key}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear row' }}
          onChange={(next) => {
            setKey(next)
            if (next === null) onAsk(undefined)
          }}
          style={{ flex: '1 1 9rem' }}
        />
        <TextInput
          label="Is"
          value={value}
          disabled={column === undefined}
          onChange={(event) => setValue(event.currentTarget.value)}
          style={{ flex: '1 1 9rem' }}
        />
        <Button type="submit" variant="default" disabled={column === undefined || value.trim() === ''}>
          Check row
        </Button>
      </Group>
    </form>
  )
}

function Explanation({ answer, names }: { answer: AccessExplanation; names: AccessNames }) {
  const format = useFormat()
  const { view, restricted, rules, attributes, columns, row } = answer
  return (
    <Stack gap="md">
      <Alert color={view.rows === 'all' ? 'green' : 'yellow'} role="status" title={describeRows(view, format)}>
        {restricted ? 'Restricted: only rows that a rule allows.' : 'Open: all rows, unless a rule says otherwise.'}
        {row && (
          <Text size="sm" mt={4}>
            {row.found === 0
              ? 'No row has this value.'
              : `Sees ${format.count(row.seen)} of ${formatRowCount(format, row.found)} with this value.`}
          </Text>
        )}
      </Alert>
      <section>
        <Title order={3} mb="xs">
          Rules
        </Title>
        {rules.length === 0 && <MutedText>No rules about this dataset.</MutedText>}
        <ol className={`surface ${classes.list}`} hidden={rules.length === 0} aria-label="Rules">
          {rules.map((rule) => (
            <RuleLine key={rule.id} rule={rule} names={names} />
          ))}
        </ol>
      </section>
      {attributes.length > 0 && (
        <section>
          <Title order={3} mb="xs">
            Attributes
          </Title>
          {attributes.map(({ key, label, values, from }) => (
            <Text size="sm" key={key}>
              {label}: {from === 'none' ? 'No value' : describeValues(values)}{' '}
              <Text span size="xs" c="dimmed">
                {ATTRIBUTE_ORIGINS[from]}
              </Text>
            </Text>
          ))}
        </section>
      )}
      <ColumnTable columns={columns} rules={rules} />
    </Stack>
  )
}

const ATTRIBUTE_ORIGINS: Record<AccessExplanation['attributes'][number]['from'], string> = {
  member: 'set for the member',
  groups: 'from groups',
  default: 'default',
  none: 'rules that ask it show nothing',
}

/** Whether the rule counts for the person, and if not, why. */
function describeMatch({ matches, active, missing }: ExplainedRule, names: AccessNames): string {
  if (!active) return 'Doesn’t apply: inactive'
  if (matches === null) return 'Doesn’t apply: other people'
  const who = matches.kind === 'everyone' ? 'everyone' : `${matches.kind} ${matches.name}`
  if (missing.length === 0) return `Applies: ${who}`
  const labels = missing.map((key) => names.choices.attribute.find(({ value }) => value === key)?.label ?? key)
  return `Applies: ${who}, but no value of ${labels.join(', ')}`
}

const ROWS_WORDS: Record<ExplainedRule['rows'], string> = { all: 'all rows', some: 'some rows', unchanged: 'columns' }

function RuleLine({ rule, names }: { rule: ExplainedRule; names: AccessNames }) {
  const format = useFormat()
  const { name, effect, rows, matches, active, rowsOfRule } = rule
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {name}
          </Text>
          <Badge
            size="sm"
            variant={matches && active ? 'light' : 'default'}
            color={effect === 'allow' ? 'green' : 'red'}
          >
            {rows === 'unchanged' ? 'Columns' : `${capitalize(effect)} ${ROWS_WORDS[rows]}`}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed">
          {describeMatch(rule, names)}
          {rowsOfRule !== null && ` · ${formatRowCount(format, rowsOfRule)} of the row asked for`}
        </Text>
      </div>
    </li>
  )
}

function ColumnTable({ columns, rules }: Pick<AccessExplanation, 'columns' | 'rules'>) {
  if (columns.length === 0) return null
  const nameOf = (id: string): string => rules.find((rule) => rule.id === id)?.name ?? 'Deleted rule'
  return (
    <section>
      <Title order={3} mb="xs">
        Columns
      </Title>
      <div className={classes.impact} tabIndex={0} role="region" aria-label="Columns">
        <Table aria-label="Columns">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Column</Table.Th>
              <Table.Th>Shown</Table.Th>
              <Table.Th>Decided by</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map(({ key, label, grant, ruleIds }) => (
              <Table.Tr key={key}>
                <Table.Th scope="row">{humanizeLabel(label)}</Table.Th>
                <Table.Td>{GRANT_LABELS[grant]}</Table.Td>
                <Table.Td>{ruleIds.length === 0 ? '–' : ruleIds.map(nameOf).join(', ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}
