import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconMathFunction, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ComputedEditor } from './computed-editor'
import classes from './computed.module.css'
import { formulaWords } from './computed-words'
import { draftOfExpr } from './computed-draft'
import { RemoveComputed } from './remove-computed'
import type { Expr } from '../../../src/shared/query'
import type { Column, Dataset } from '../../../src/shared/sources'

export type ComputedColumn = Column & { computed: Expr }
const computedOf = ({ columns }: Pick<Dataset, 'columns'>): ComputedColumn[] =>
  columns.flatMap((column) => (column.computed ? [{ ...column, computed: column.computed }] : []))

type Doing = { what: 'add' } | { what: 'edit' | 'remove'; column: ComputedColumn }

/** Columns worked out from others of the same row: what they are made of, one more, and the way to change them. */
export function ComputedColumns({ dataset, editable }: { dataset: Dataset; editable: boolean }) {
  const [doing, setDoing] = useState<Doing | null>(null)
  const columns = computedOf(dataset)
  const close = () => setDoing(null)
  if (!editable && columns.length === 0) return null
  return (
    <section className={`surface ${classes.section}`} aria-labelledby="computed-columns">
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className={classes.words}>
          <Title order={2} id="computed-columns">
            Computed columns
          </Title>
          <Text size="sm" c="dimmed">
            Worked out from other columns of the same row: quantity × price, or days from order to delivery.
          </Text>
        </div>
        {editable && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setDoing({ what: 'add' })}
          >
            Add computed column
          </Button>
        )}
      </Group>
      <Lines {...{ dataset, columns, editable, onDo: setDoing }} />
      {doing?.what === 'remove' && <RemoveComputed dataset={dataset} column={doing.column} onClose={close} />}
      {doing !== null && doing.what !== 'remove' && (
        <ComputedEditor dataset={dataset} column={doing.what === 'edit' ? doing.column : null} onClose={close} />
      )}
    </section>
  )
}

interface LinesProps {
  dataset: Dataset
  columns: ComputedColumn[]
  editable: boolean
  onDo: (doing: Doing) => void
}

function Lines({ dataset, columns, editable, onDo }: LinesProps) {
  if (columns.length === 0) return null
  return (
    <ul className={classes.list}>
      {columns.map((column) => (
        <li key={column.key} className={classes.line}>
          <IconMathFunction size={18} color="var(--accent)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Stack gap={0} className={classes.words}>
            <Text size="sm" fw={550}>
              {column.label}
            </Text>
            <Text size="sm" c="dimmed">
              {formulaWords(column.computed, dataset.columns)}
            </Text>
          </Stack>
          {editable && (
            <Group gap="xs">
              {draftOfExpr(column.computed) && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onDo({ what: 'edit', column })}
                  aria-label={`Change ${column.label}`}
                >
                  Change
                </Button>
              )}
              <Button
                size="xs"
                variant="subtle"
                color="red"
                onClick={() => onDo({ what: 'remove', column })}
                aria-label={`Remove ${column.label}`}
              >
                Remove
              </Button>
            </Group>
          )}
        </li>
      ))}
    </ul>
  )
}
