import { MutedText } from '../../ui/muted-text'
import { Button, Group, Stack, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { relationsQuery, useConfirmRelations, useUpdateRelation } from './queries'
import { RelationItem, relationName, RelationError } from './relation-item'
import classes from './relations.module.css'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import type { Relation } from '../../../src/shared/relations'
import type { DataSource } from '../../../src/shared/data-sources/data-sources'

/** Proposals in sight before the rest is asked for: the rows below are what the page is about. */
const INITIALLY_SHOWN = 4

/** What the tables of a source looked like, so that proposals are asked for anew after a load. */
const dataVersionsKey = ({ datasets }: DataSource): string =>
  datasets.map(({ id, dataVersion }) => `${id}:${dataVersion}`).join()

const suggestionsOf = (source: DataSource) => ({
  ...relationsQuery(dataVersionsKey(source)),
  enabled: source.datasets.some(({ dataVersion }) => dataVersion > 0),
  // After a load the card stays until it is known what it says now.
  placeholderData: keepPreviousData,
})

/** Whether it is not known yet if the card stands above the tables of a source. */
export const useIsAwaitingSuggestions = (source: DataSource | undefined): boolean =>
  useQuery(source ? suggestionsOf(source) : { ...relationsQuery(), enabled: false }).isLoading

/** How the tables of a source belong together, found by us, until a person has said yes or no. Quiet when there is nothing. */
export function SuggestedRelationsCard({ source }: { source: DataSource }) {
  const { data } = useQuery(suggestionsOf(source))
  const may = useMay('edit:source')
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  const own = new Set(source.datasets.map(({ id }) => id))
  const proposed = (data ?? []).filter(
    ({ state, from, to }) => state === 'proposed' && (own.has(from.datasetId) || own.has(to.datasetId)),
  )
  if (!may || readOnly !== null || proposed.length === 0) return null
  return <SuggestedRelationList proposed={proposed} />
}

function SuggestedRelationList({ proposed }: { proposed: Relation[] }) {
  const all = useConfirmRelations()
  const [open, setOpen] = useState(false)
  const shown = open ? proposed : proposed.slice(0, INITIALLY_SHOWN)
  const more = proposed.length - shown.length
  return (
    <section className={`surface ${classes.card}`} aria-labelledby="proposed-relations">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <IconLink size={20} color="var(--accent)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
            <Group gap="0 12px" align="baseline">
              <Title order={2} id="proposed-relations">
                Suggested relationships
              </Title>
              <MutedText>Confirm to break down and filter one table by the other.</MutedText>
            </Group>
          </Group>
          {proposed.length > 1 && (
            <Button variant="default" loading={all.isPending} onClick={() => all.mutate(proposed)}>
              Confirm all {proposed.length}
            </Button>
          )}
        </Group>
        <RelationError error={all.error} />
        <ul className={classes.list}>
          {shown.map((relation) => (
            <SuggestedRelation key={relation.id} relation={relation} />
          ))}
        </ul>
        {more > 0 && (
          <Button variant="subtle" onClick={() => setOpen(true)} style={{ alignSelf: 'flex-start' }}>
            Show {more} more
          </Button>
        )}
      </Stack>
    </section>
  )
}

/** One proposal with its answer: yes or no. */
export function SuggestedRelation({ relation }: { relation: Relation }) {
  const decide = useUpdateRelation()
  const { id, version } = relation
  const name = relationName(relation)
  return (
    <RelationItem relation={relation} error={decide.error}>
      <Button
        size="xs"
        loading={decide.isPending && decide.variables.state === 'confirmed'}
        disabled={decide.isPending}
        onClick={() => decide.mutate({ id, version, state: 'confirmed' })}
        aria-label={`Confirm: ${name}`}
      >
        Confirm
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={decide.isPending}
        onClick={() => decide.mutate({ id, version, state: 'dismissed' })}
        aria-label={`Not related: ${name}`}
      >
        Not related
      </Button>
    </RelationItem>
  )
}
