import { MutedText } from '../../ui/muted-text'
import { FormDialog } from '../../ui/forms/form-dialog'
import { QueryStatus } from '../../ui/query-view'
import { Alert, Button, Group, Select, Stack, TextInput, Badge } from '@mantine/core'
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { IconPlus } from '@tabler/icons-react'
import { createGrouping } from './queries'
import { groupingQuery, groupingsQuery } from '../../lib/query-builder/catalogue'
import { loadedDatasetsQuery, type DatasetWithSource } from '../../lib/queries/data-source-queries'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { isAccountName } from '../../../src/shared/account-classes'
import type { GroupingKind, GroupingTarget, GroupingSummary } from '../../../src/shared/groupings/groupings'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import classes from './groupings.module.css'
import { pluralize, describeTarget } from './describe-grouping'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { LinkAnchor } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'

const ACCOUNTS_OPTION = 'accounts'
const GROUPABLE_TYPES: readonly Column['type'][] = ['text', 'integer', 'number', 'boolean']
/** Values first, then numbers: what is grouped most often stands on top. */
const isUsuallyGrouped = ({ role }: Column): boolean => role === 'dimension' || role === 'id'

interface GroupingTargetOption {
  label: string
  target: GroupingTarget
  kind: GroupingKind
}
function groupingTargetOptions(
  datasets: readonly DatasetWithSource[],
): Map<string, GroupingTargetOption & { group: string }> {
  const choices = new Map<string, GroupingTargetOption & { group: string }>()
  if (datasets.some(({ columns }) => columns.some(({ label }) => isAccountName(label))))
    choices.set(ACCOUNTS_OPTION, {
      group: 'Ledgers',
      label: 'Accounts in all ledgers',
      target: { kind: 'account' },
      kind: 'accounts',
    })
  for (const dataset of datasets) {
    const columns = dataset.columns.filter(({ type, hidden }) => !hidden && GROUPABLE_TYPES.includes(type))
    for (const column of columns.toSorted((a, b) => Number(isUsuallyGrouped(b)) - Number(isUsuallyGrouped(a))))
      choices.set(`${dataset.id}.${column.key}`, {
        group: dataset.name === dataset.sourceName ? dataset.name : `${dataset.name} · ${dataset.sourceName}`,
        label: column.label,
        target: { kind: 'column', dataset: dataset.id, column: column.key },
        kind: column.type === 'number' ? 'ranges' : 'values',
      })
  }
  return choices
}

interface NewGroupingDialogProps {
  /** Null while they are on their way. */
  datasets: readonly DatasetWithSource[] | null
  onClose: () => void
}

const NOTHING_CHOSEN: { name: string; chosen: string | null } = { name: '', chosen: null }

export function NewGroupingDialog({ datasets, onClose }: NewGroupingDialogProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const choices = groupingTargetOptions(datasets ?? [])
  const [values, setValues] = useState(NOTHING_CHOSEN)
  const { name, chosen } = values
  const draft = useKeptDraft({
    ...{ name: 'grouping:new', value: values, apply: setValues },
    isDirty: name !== '' || chosen !== null,
    reset: () => setValues(NOTHING_CHOSEN),
  })
  const choice = choices.get(chosen ?? '')
  const creating = useMutation({
    mutationFn: ({ target, kind }: GroupingTargetOption) => createGrouping({ name, target, kind }),
    onSuccess: (made) => {
      draft.clear()
      client.setQueryData(groupingQuery(made.id).queryKey, made)
      void client.invalidateQueries({ queryKey: ['groupings', 'list'] })
      void navigate({ to: '/data-grouping/$id', params: { id: made.id } })
    },
  })
  const fields = fieldErrors(creating.error)
  const groups = [...new Set([...choices.values()].map(({ group }) => group))].map((group) => ({
    group,
    items: [...choices].flatMap(([value, one]) => (one.group === group ? [{ value, label: one.label }] : [])),
  }))
  return (
    <FormDialog
      title="New grouping"
      submit="Create grouping"
      pending={creating.isPending}
      disabled={!choice || name.trim() === ''}
      onSubmit={() => {
        if (choice) creating.mutate(choice)
      }}
      onClose={() => {
        draft.clear()
        onClose()
      }}
    >
      <DraftNotice draft={draft} />
      {creating.error && fields === null && <FormError error={creating.error} />}
      {datasets && choices.size === 0 && <Alert color="yellow">Import data to group its values.</Alert>}
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Regions"
        value={name}
        maxLength={80}
        required
        error={fields?.['name']}
        onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
      />
      <Select
        allowDeselect
        label="Column"
        placeholder="Choose column"
        data={groups}
        value={chosen}
        searchable
        required
        nothingFoundMessage="No columns match"
        error={fields?.['target']}
        onChange={(next) => setValues({ ...values, chosen: next })}
      />
    </FormDialog>
  )
}

const NO_DATASETS: readonly DatasetWithSource[] = []

export function GroupingsScreen() {
  const [isCreating, setCreating] = useState(false)
  const may = useMayWrite('edit:grouping')
  const list = useQuery(groupingsQuery())
  const datasets = useQuery(loadedDatasetsQuery())
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New grouping
    </Button>
  )
  return (
    <>
      <PageHeader title="Data grouping" actions={may && (list.data?.length ?? 0) > 0 ? add : undefined} />
      <QueryStatus query={list} skeleton={<TableSkeleton count={3} />} />
      {list.data?.length === 0 && (
        <EmptyState
          picture="sources"
          title="No groupings yet"
          sentence="Group countries into regions, or accounts into classes."
          action={may ? add : undefined}
        />
      )}
      {list.data && list.data.length > 0 && (
        <ul className={`surface ${classes.list}`} aria-label="Groupings">
          {list.data.map((grouping) => (
            <GroupingListItem key={grouping.id} grouping={grouping} datasets={datasets.data ?? NO_DATASETS} />
          ))}
        </ul>
      )}
      {isCreating && <NewGroupingDialog datasets={datasets.data ?? null} onClose={() => setCreating(false)} />}
    </>
  )
}

function GroupingListItem({
  grouping,
  datasets,
}: {
  grouping: GroupingSummary
  datasets: readonly DatasetWithSource[]
}) {
  const format = useFormat()
  const { id, name, target, groupCount, unmatched, frozen, ownerName, updatedAt } = grouping
  return (
    <li className={classes.item}>
      <Stack gap={2} style={{ minWidth: 0 }}>
        <LinkAnchor to="/data-grouping/$id" params={{ id }} fw={600}>
          {name}
        </LinkAnchor>
        <MutedText>
          {describeTarget(target, datasets)} · {pluralize(groupCount, 'group', 'groups')}
        </MutedText>
      </Stack>
      <Group gap="md" ml="auto" justify="flex-end">
        {frozen && <Badge color="blue">Over limit</Badge>}
        {!frozen && unmatched !== null && unmatched.values > 0 && (
          <Badge color="yellow">{format.count(unmatched.values)} ungrouped</Badge>
        )}
        <MutedText visibleFrom="sm">
          {ownerName}, {format.day(updatedAt)}
        </MutedText>
      </Group>
    </li>
  )
}
