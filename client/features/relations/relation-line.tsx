import { Group, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import {
  describeBrokenRelation,
  describeRelationColumns,
  describeMatchRate,
  relationName,
  describeUnmatchedRows,
} from './relation-words'
import classes from './relations.module.css'
import { useFormat } from '../../lib/format'
import { RelationError } from './relation-error'
import type { Relation } from '../../../src/shared/relations'

export interface RelationItemProps {
  relation: Relation
  /** What the last thing done with it was refused for. */
  error: unknown
  /** What can be done with it. */
  children?: ReactNode
}

/** One relation in words: which table points at which, by what, and how well it fits. */
export function RelationItem({ relation, error, children }: RelationItemProps) {
  const format = useFormat()
  const { from, to, proof, state } = relation
  const unmatched = describeUnmatchedRows(proof, format)
  return (
    <li className={classes.line}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className={classes.words}>
          <Text size="sm" role="group" aria-label={relationName(relation)}>
            <strong>{from.datasetName}</strong>{' '}
            <IconArrowRight size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> <strong>{to.datasetName}</strong>{' '}
            {describeRelationColumns(relation)}
          </Text>
          <Text size="xs" c="dimmed">
            {describeMatchRate(proof, format)}
            {unmatched !== null && `; ${unmatched}`}.
          </Text>
          {state === 'broken' && (
            <Text size="sm" mt={4}>
              {describeBrokenRelation(relation, format)}
            </Text>
          )}
        </div>
        <Group gap="xs">{children}</Group>
      </Group>
      <RelationError error={error} />
    </li>
  )
}
