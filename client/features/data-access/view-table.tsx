import { Accordion, Badge, Button, Table, Text } from '@mantine/core'
import { IconEyeOff, IconHelpCircle, IconPassword } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { DatasetView } from '../../../src/shared/data-access/data-access'
import { useFormat } from '../../lib/format'
import { EmptyState } from '../../ui/empty-state'
import { IconButton } from '../../ui/buttons/icon-button'
import cards from '../../ui/card-table.module.css'
import type { AccessNames } from './access-names'
import { describeRows, GRANT_LABELS } from './access-text'
import classes from './data-access.module.css'

/** So many are listed at first. */
const SHOWN_AT_FIRST = 50

/** Whose view of which dataset is explained. */
export interface InspectionTarget {
  userId: string
  dataset: string
}

export const includesText = (texts: readonly string[], search: string): boolean =>
  texts.some((text) => text.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()))

interface ShownListProps<Item> {
  items: readonly Item[]
  children: (item: Item) => ReactNode
  search: string
}

/** The first of a list, and the rest on demand. */
export function ShownList<Item>({ items, children, search }: ShownListProps<Item>) {
  const [count, setCount] = useState(SHOWN_AT_FIRST)
  if (items.length === 0)
    return (
      <EmptyState
        picture="search"
        title={search.trim() === '' ? 'No data yet' : `Nothing matches “${search.trim()}”`}
        {...(search.trim() === '' ? { sentence: 'Import data to see who has access.' } : {})}
      />
    )
  return (
    <>
      <Accordion variant="separated" order={2} keepMounted={false}>
        {items.slice(0, count).map(children)}
      </Accordion>
      {count < items.length && (
        <Button variant="default" style={{ alignSelf: 'center' }} onClick={() => setCount(count + SHOWN_AT_FIRST)}>
          Show more
        </Button>
      )}
    </>
  )
}

interface AccessItemProps {
  id: string
  name: string
  /** What it is, quietly beside its name. */
  note: string
  badges: ReactNode
  /** What is said of it while it is closed. */
  summary: string
  children: ReactNode
}

/** A person or a dataset of the list: a line that opens. */
export const AccessItem = ({ id, name, note, badges, summary, children }: AccessItemProps) => (
  <Accordion.Item value={id}>
    <Accordion.Control>
      <span className={classes.summary}>
        <span className={classes.tags}>
          <Text span fw={600}>
            {name}
          </Text>
          <Text span size="xs" c="dimmed">
            {note}
          </Text>
          {badges}
        </span>
        <Text span size="sm" c="dimmed">
          {summary}
        </Text>
      </span>
    </Accordion.Control>
    <Accordion.Panel>{children}</Accordion.Panel>
  </Accordion.Item>
)

interface ViewLine {
  key: string
  name: string
  dataset: string
  view: DatasetView
  restricted: boolean
  onAsk: () => void
}

/** What is seen of datasets, one line each. */
export function ViewTable(props: { first: string; label: string; lines: readonly ViewLine[]; names: AccessNames }) {
  const { first, label, lines, names } = props
  const format = useFormat()
  return (
    <div style={{ overflowX: 'auto' }}>
      <Table className={`${cards.table} ${classes.views}`} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{first}</Table.Th>
            <Table.Th>Rows</Table.Th>
            <Table.Th>Columns</Table.Th>
            <Table.Th w={44}>
              <span className="only-reader">Why</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ key, name, dataset, view, restricted, onAsk }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">
                <span className={classes.tags}>
                  {name}
                  {restricted && <StanceBadge />}
                </span>
              </Table.Th>
              <Table.Td data-label="Rows">{describeRows(view, format)}</Table.Td>
              <Table.Td data-label="Columns">
                <ColumnMarks {...{ dataset, view, names }} />
              </Table.Td>
              <Table.Td className={classes.whyCell}>
                <IconButton icon={IconHelpCircle} label={`Why: ${name}`} onClick={onAsk} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

export const StanceBadge = () => (
  <Badge size="sm" color="yellow">
    Restricted
  </Badge>
)

/** Columns that are masked or hidden, by name. */
function ColumnMarks({ dataset, view, names }: { dataset: string; view: DatasetView; names: AccessNames }) {
  const { rows, masked, hidden } = view
  if (rows === 'none') return <span aria-label="None">–</span>
  if (masked.length + hidden.length === 0) return 'All'
  return (
    <span className={classes.tags}>
      {masked.map(({ key, grant }) => (
        <Badge key={key} size="sm" variant="default" fw={500} leftSection={<IconPassword size={12} aria-hidden />}>
          {names.column(dataset, key)}: {GRANT_LABELS[grant].toLowerCase()}
        </Badge>
      ))}
      {hidden.map((key) => (
        <Badge key={key} size="sm" variant="default" fw={500} leftSection={<IconEyeOff size={12} aria-hidden />}>
          {names.column(dataset, key)}: hidden
        </Badge>
      ))}
    </span>
  )
}
