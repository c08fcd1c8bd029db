import { Alert, Badge, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccessExplanation, DataAccess, ExplainedRule } from '../../../src/shared/data-access/data-access'
import { formatRowCount, type Formatter } from '../../../src/shared/figures/formatter'
import { useFormat } from '../../lib/format'
import { humanizeLabel } from '../../../src/shared/text'
import { MutedText } from '../../ui/muted-text'
import type { AccessNames } from './access-names'
import { describeRows, describeValues, GRANT_LABELS, ruleVerb } from './access-text'
import classes from './data-access.module.css'
import { accessOverviewQuery, dataAccessQuery } from './queries'

interface ExplanationProps {
  answer: AccessExplanation
  userId: string
  names: AccessNames
}

/** Why somebody sees what they see: what of the dataset, by which rules and values, and which columns. */
export function Explanation({ answer, userId, names }: ExplanationProps) {
  const format = useFormat()
  const { view, restricted, rules, columns, row } = answer
  const rows = describeRows(view, format)
  const stance = restricted
    ? 'Restricted: only rows that a rule allows.'
    : 'Open: all rows, unless a rule says otherwise.'
  const isFull = row && row.found > 0 ? row.seen === row.found : view.rows === 'all'
  return (
    <Stack gap="md">
      <Alert color={isFull ? 'green' : 'yellow'} role="status" title={row ? describeRow(row, format) : rows}>
        {row && view.rows === 'rules' && `${rows} in all. `}
        {stance}
      </Alert>
      <section>
        <Title order={3} mb="xs">
          Rules
        </Title>
        {rules.length === 0 && <MutedText>No rules about this dataset.</MutedText>}
        <ol className={`surface ${classes.list}`} hidden={rules.length === 0} aria-label="Rules">
          {rules.map((rule) => (
            <RuleLine key={rule.id} {...{ rule, names }} found={row?.found ?? 0} />
          ))}
        </ol>
      </section>
      <AttributeLines {...{ answer, userId, names }} />
      {/* Of a dataset that isn't there for the person no column is shown. */}
      {view.rows !== 'none' && <ColumnTable columns={columns} rules={rules} />}
    </Stack>
  )
}

function describeRow({ found, seen }: NonNullable<AccessExplanation['row']>, format: Formatter): string {
  if (found === 0) return 'No row has this value'
  if (found === 1) return seen === 1 ? 'Sees this row' : 'Doesn’t see this row'
  return `Sees ${format.count(seen)} of ${formatRowCount(format, found)} with this value`
}

const ATTRIBUTE_ORIGINS: Record<AccessExplanation['attributes'][number]['from'], string> = {
  member: 'set for the member',
  groups: 'from groups',
  default: 'default',
  none: 'rules that ask it show nothing',
}

/** Values that rules ask, and where the person has them from. */
function AttributeLines({ answer: { attributes }, userId, names }: ExplanationProps) {
  const access = useQuery(dataAccessQuery()).data
  const overview = useQuery(accessOverviewQuery()).data
  const groups = overview?.people.find((person) => person.userId === userId)?.groups ?? []
  if (attributes.length === 0) return null
  return (
    <section>
      <Title order={3} mb="xs">
        Attributes
      </Title>
      {attributes.map(({ key, label, values, from }) => {
        const givers = from === 'groups' ? groupsGiving(access, { key, groups: groups.map(({ id }) => id) }) : []
        return (
          <Text size="sm" key={key}>
            {label}: {from === 'none' ? 'No value' : describeValues(values)}{' '}
            <Text span size="xs" c="dimmed">
              {givers.length === 0 ? ATTRIBUTE_ORIGINS[from] : `from ${givers.map(names.holder).join(', ')}`}
            </Text>
          </Text>
        )
      })}
    </section>
  )
}

/** Of these groups, those that have a value of the attribute. */
function groupsGiving(access: DataAccess | undefined, { key, groups }: { key: string; groups: readonly string[] }) {
  const id = access?.policy.attributes.find((attribute) => attribute.key === key)?.id
  return (access?.values ?? []).flatMap(({ attributeId, holder, values }) =>
    attributeId === id && holder.kind === 'group' && groups.includes(holder.id) && values.length > 0 ? [holder] : [],
  )
}

/** Whether the rule counts for the person, and if not, why. */
function describeMatch({ matches, active, missing }: ExplainedRule, whom: string | null, names: AccessNames): string {
  if (!active) return 'Doesn’t apply: inactive'
  if (matches === null) return `Doesn’t apply: ${whom === null ? 'other people' : `only for ${whom}`}`
  const who = matches.kind === 'everyone' ? 'everyone' : `${matches.kind} ${matches.name}`
  if (missing.length === 0) return `Applies: ${who}`
  const labels = missing.map((key) => names.choices.attribute.find(({ value }) => value === key)?.label ?? key)
  return `Applies: ${who}, but no value of ${labels.join(', ')}`
}

/** `Doesn’t match this row`, `Matches 2 of 5 rows`. */
function describeRowsOfRule(count: number, found: number, format: Formatter): string {
  if (found === 1) return count === 1 ? 'Matches this row' : 'Doesn’t match this row'
  return `Matches ${format.count(count)} of ${formatRowCount(format, found)}`
}

const ROWS_WORDS: Record<ExplainedRule['rows'], string> = { all: 'all rows', some: 'some rows', unchanged: 'columns' }

function RuleLine({ rule, names, found }: { rule: ExplainedRule; names: AccessNames; found: number }) {
  const format = useFormat()
  const access = useQuery(dataAccessQuery()).data
  const { id, name, rows, matches, active, rowsOfRule } = rule
  const stored = access?.policy.rules.find((one) => one.id === id)
  const verb = ruleVerb({ columns: [], ...stored, ...rule })
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {name}
          </Text>
          <Badge size="sm" variant={matches && active ? 'light' : 'default'} color={verb.color}>
            {verb.label} {ROWS_WORDS[rows]}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed">
          {describeMatch(rule, stored ? names.subject(stored.subject) : null, names)}
          {rowsOfRule !== null && found > 0 && ` · ${describeRowsOfRule(rowsOfRule, found, format)}`}
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
