import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconMathFunction, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CalculatedColumnEditor } from './computed-editor'
import classes from './computed.module.css'
import { describeFormula } from './computed-words'
import { toFormulaDraft } from './computed-draft'
import { DeleteCalculatedColumnDialog } from './remove-computed'
import type { Expr } from '../../../src/shared/query'
import type { Column, Dataset } from '../../../src/shared/sources'

export type CalculatedColumn = Column & { computed: Expr }
const calculatedColumnsOf = ({ columns }: Pick<Dataset, 'columns'>): CalculatedColumn[] =>
  columns.flatMap((column) => (column.computed ? [{ ...column, computed: column.computed }] : []))

type DialogState = { what: 'add' } | { what: 'edit' | 'remove'; column: CalculatedColumn }

/** Columns worked out from others of the same row: what they are made of, one more, and the way to change them. */
export function CalculatedColumns({ dataset, editable }: { dataset: Dataset; editable: boolean }) {
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const columns = calculatedColumnsOf(dataset)
  const close = () => setDialog(null)
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
            onClick={() => setDialog({ what: 'add' })}
          >
            Add computed column
          </Button>
        )}
      </Group>
      <CalculatedColumnList {...{ dataset, columns, editable, onAction: setDialog }} />
      {dialog?.what === 'remove' && (
        <DeleteCalculatedColumnDialog dataset={dataset} column={dialog.column} onClose={close} />
      )}
      {dialog !== null && dialog.what !== 'remove' && (
        <CalculatedColumnEditor
          dataset={dataset}
          column={dialog.what === 'edit' ? dialog.column : null}
          onClose={close}
        />
      )}
    </section>
  )
}

interface CalculatedColumnListProps {
  dataset: Dataset
  columns: CalculatedColumn[]
  editable: boolean
  onAction: (dialogState: DialogState) => void
}

function CalculatedColumnList({ dataset, columns, editable, onAction }: CalculatedColumnListProps) {
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
              {describeFormula(column.computed, dataset.columns)}
            </Text>
          </Stack>
          {editable && (
            <Group gap="xs">
              {toFormulaDraft(column.computed) && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onAction({ what: 'edit', column })}
                  aria-label={`Change ${column.label}`}
                >
                  Change
                </Button>
              )}
              <Button
                size="xs"
                variant="subtle"
                color="red"
                onClick={() => onAction({ what: 'remove', column })}
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
