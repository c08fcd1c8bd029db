import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { AddRelationDialog } from './add-relation-dialog'
import { BrokenRelation, ConfirmedRelation } from './relation-item'
import { SuggestedRelation } from './relation-suggestions'
import { relationsQuery } from './queries'
import classes from './relations.module.css'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { TableSkeleton } from '../../ui/skeletons'
import type { Relation, RelationState } from '../../../src/shared/relations'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import { TERMS } from '../../../src/shared/terms'

/** How one table belongs together with others: what is used, what broke, what waits for an answer, and one by hand. */
export function RelationsPanel({ dataset }: { dataset: Dataset }) {
  const { data, error, refetch } = useQuery(relationsQuery(`${dataset.id}:${dataset.dataVersion}`))
  const [adding, setAdding] = useState(false)
  const editable = useSession().workspace?.entitlements.readOnly === null
  // How a table hangs together is found in all of its rows.
  const may = useMay('edit:source') && editable && !dataset.partial
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={3} />
  const own = data.filter(({ from, to }) => from.datasetId === dataset.id || to.datasetId === dataset.id)
  const shown = own.filter(({ state }) => state !== 'dismissed' && (may || state !== 'proposed'))
  const add = may && (
    <Button
      variant={shown.length === 0 ? 'filled' : 'default'}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      Add relationship
    </Button>
  )
  return (
    <Stack gap="md">
      {shown.length === 0 ? (
        <EmptyState
          picture="sources"
          title="No relationships yet"
          sentence="Break down orders by their customer’s country."
          action={add}
        />
      ) : (
        <>
          <Group justify="flex-end">{add}</Group>
          <RelationGroups relations={shown} may={may} />
        </>
      )}
      {adding && <AddRelationDialog dataset={dataset} onClose={() => setAdding(false)} />}
    </Stack>
  )
}

function RelationGroups({ relations, may }: { relations: Relation[]; may: boolean }) {
  const of = (state: RelationState) => relations.filter((relation) => relation.state === state)
  return (
    <>
      <RelationGroup
        title="Broken relationships"
        relations={of('broken')}
        line={(one) => <BrokenRelation key={one.id} relation={one} may={may} />}
      />
      <RelationGroup
        title="Suggested relationships"
        relations={of('proposed')}
        line={(one) => <SuggestedRelation key={one.id} relation={one} />}
      />
      <RelationGroup
        title={TERMS.relationships}
        relations={of('confirmed')}
        line={(one) => <ConfirmedRelation key={one.id} relation={one} may={may} />}
      />
    </>
  )
}

interface RelationGroupProps {
  title: string
  relations: Relation[]
  line: (relation: Relation) => ReactNode
}

function RelationGroup({ title, relations, line }: RelationGroupProps) {
  if (relations.length === 0) return null
  return (
    <section className={`surface ${classes.card}`} aria-label={title}>
      <Title order={2} mb={8}>
        {title}
      </Title>
      {title === TERMS.relationships && (
        <Text size="xs" c="dimmed" mb={8}>
          Checked at every import
        </Text>
      )}
      <ul className={classes.list}>{relations.map(line)}</ul>
    </section>
  )
}
