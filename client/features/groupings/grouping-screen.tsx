import { DateField } from '../../ui/forms/date-field'
import { IconButton } from '../../ui/buttons/icon-button'
import { OverLimitNotice } from '../../ui/over-limit-notice'
import { Text, Button, Group, Popover, Select, Stack, TextInput, Badge, Anchor } from '@mantine/core'
import { IconCalendarPlus, IconTrash, IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { groupingsQuery, groupingQuery } from '../../lib/query-builder/catalogue'
import { useFormat } from '../../lib/format'
import type { GroupingFallback, Grouping } from '../../../src/shared/groupings/groupings'
import { GroupingActions } from './grouping-actions'
import { GroupingSaveProblems, useSaveGrouping } from './grouping-saving'
import classes from './groupings.module.css'
import { GroupsPane } from './groups-pane'
import { GroupingPreviewCard } from './grouping-preview-card'
import { placeOfPeriod, useGroupingDraft, type GroupingEditorContext } from './grouping-draft'
import { ValuesPane } from './values-pane'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { useUnsavedWork } from '../../lib/writes/unsaved-input'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { useMayWrite } from '../../lib/gate'
import { PageHeader } from '../../ui/page-header'
import { validateGrouping } from '../../../src/shared/groupings/validation'
import { loadedDatasetsQuery } from '../../lib/queries/data-source-queries'
import { describeTarget } from './describe-grouping'
import { LinkAnchor } from '../../ui/buttons/links'
import { SubjectPage } from '../../ui/deleted/subject-page'

function FrozenGroupingNotice() {
  const list = useQuery(groupingsQuery())
  return (
    <OverLimitNotice thing="grouping" limit="groupings" unit={() => 'groupings'} count={list.data?.length ?? 0}>
      Figures go on to be seen through it; new values are not looked for. It can be changed again with a larger plan, or
      when another one is deleted.
    </OverLimitNotice>
  )
}

/** Which period's groups are shown. A reorganisation begins a new one; figures of before can keep the old groups. */
function ValidityPeriodPicker({
  draft,
  at,
  act,
  may,
  onChoose,
}: GroupingEditorContext & { onChoose: (at: number) => void }) {
  const format = useFormat()
  const periodLabel = (from: string | null): string =>
    from === null ? 'All earlier dates' : `From ${format.date(from)}`
  const begin = (from: string): void => {
    act({ kind: 'addEra', from })
    onChoose(placeOfPeriod(draft.eras, from))
  }
  if (draft.eras.length === 1 && !may) return null
  return (
    <Group gap="xs" align="flex-end">
      {draft.eras.length > 1 && (
        <>
          <Select
            label="Validity period"
            data={draft.eras.map(({ from }, n) => ({ value: String(n), label: periodLabel(from) }))}
            value={String(at)}
            onChange={(value) => value !== null && onChoose(Number(value))}
            w={210}
          />
          {may && (
            <IconButton
              icon={IconTrash}
              iconSize={18}
              size={36}
              label={`Remove period “${periodLabel(draft.eras[at]?.from ?? null)}”`}
              onClick={() => act({ kind: 'removeEra', at })}
            />
          )}
        </>
      )}
      {may && <NewValidityPeriod onAdd={begin} taken={draft.eras.map(({ from }) => from)} />}
    </Group>
  )
}

function NewValidityPeriod({ onAdd, taken }: { onAdd: (from: string) => void; taken: readonly (string | null)[] }) {
  const [from, setFrom] = useState('')
  const [opened, setOpened] = useState(false)
  const isTaken = taken.includes(from)
  useUnsavedWork(from !== '')
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendarPlus size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          New period
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm" maw={280}>
          <Text size="sm">Copies today’s groups; change them from this date.</Text>
          <DateField
            label="Valid from"
            value={from}
            error={isTaken ? 'A period already starts on this date.' : undefined}
            onChange={(day) => setFrom(day)}
          />
          <Button
            disabled={from === '' || isTaken}
            onClick={() => {
              onAdd(from)
              setOpened(false)
              setFrom('')
            }}
          >
            Begin period
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const FALLBACK_OPTIONS: { value: GroupingFallback['kind']; label: string }[] = [
  { value: 'ungrouped', label: 'Group as' },
  { value: 'asIs', label: 'Keep separate' },
  { value: 'exclude', label: 'Exclude' },
]

function FallbackPicker({ draft, act, may }: GroupingEditorContext) {
  const { fallback } = draft
  const choose = (kind: GroupingFallback['kind'] | null): void => {
    if (kind) act({ kind: 'fallback', fallback: kind === 'ungrouped' ? { kind, name: 'Ungrouped' } : { kind } })
  }
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Ungrouped values"
        data={FALLBACK_OPTIONS}
        value={fallback.kind}
        onChange={choose}
        disabled={!may}
        w={210}
      />
      {fallback.kind === 'ungrouped' && (
        <TextInput
          aria-label="Name for ungrouped values"
          value={fallback.name}
          maxLength={80}
          disabled={!may}
          w={150}
          onChange={(event) =>
            act({ kind: 'fallback', fallback: { kind: 'ungrouped', name: event.currentTarget.value } })
          }
        />
      )}
    </Group>
  )
}

interface GroupingEditorProps {
  grouping: Grouping
  target: string
  above: ReactNode
}

/** Values on the left, groups on the right; every step can be undone until it is saved. */
function GroupingEditor({ grouping, target, above }: GroupingEditorProps) {
  const mayEdit = useMayWrite('edit:grouping')
  const may = mayEdit && !grouping.frozen
  const { draft, isChanged, mayUndo, act } = useGroupingDraft(grouping)
  const kept = useKeptDraft({
    ...{
      name: may ? `grouping:${grouping.id}` : null,
      base: String(grouping.version),
      value: draft,
      isDirty: isChanged,
    },
    apply: (unsaved) => act({ kind: 'restore', draft: unsaved }),
    reset: () => act({ kind: 'start', grouping }),
  })
  const saving = useSaveGrouping(grouping, { draft, act })
  const [at, setAt] = useState(draft.eras.length - 1)
  const shownAt = Math.min(at, draft.eras.length - 1)
  const era = draft.eras[shownAt] ?? { from: null, groups: [] }
  const problems = Object.values(validateGrouping(draft))
  const editing = { grouping, draft, validityPeriod: era, at: shownAt, act, may }
  return (
    <>
      <PageHeader
        breadcrumb={above}
        title={draft.name}
        description={draft.description === '' ? target : `${target}. ${draft.description}`}
        actions={<GroupingActions {...editing} mayDelete={mayEdit} isChanged={isChanged} onSaved={saving.adopt} />}
      />
      <DraftNotice draft={kept} />
      <Stack gap="md">
        {grouping.frozen && <FrozenGroupingNotice />}
        <GroupingSaveProblems saving={saving} problems={problems} />
        <Group gap="sm" justify="space-between">
          <ValidityPeriodPicker {...editing} onChoose={setAt} />
          <FallbackPicker {...editing} />
        </Group>
        <div className={classes.panes}>
          <ValuesPane {...editing} />
          <GroupsPane {...editing} />
        </div>
        {isChanged && problems.length === 0 && <GroupingPreviewCard grouping={grouping} draft={draft} />}
      </Stack>
      {may && (isChanged || mayUndo) && (
        <div className={classes.bar} role="region" aria-label="Unsaved changes">
          <Badge color={isChanged ? 'yellow' : 'gray'} visibleFrom="sm">
            {isChanged ? 'Unsaved changes' : 'No changes'}
          </Badge>
          <Group gap="xs" ml="auto">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              disabled={!mayUndo}
              onClick={() => act({ kind: 'undo' })}
            >
              Undo
            </Button>
            <Button size="xs" variant="default" disabled={!isChanged} onClick={() => act({ kind: 'start', grouping })}>
              Discard
            </Button>
            <Button
              size="xs"
              loading={saving.isSaving}
              disabled={!isChanged || problems.length > 0}
              onClick={() => saving.save()}
            >
              Save grouping
            </Button>
          </Group>
        </div>
      )}
    </>
  )
}

export function GroupingScreen({ id }: { id: string }) {
  const grouping = useQuery(groupingQuery(id))
  const datasets = useQuery(loadedDatasetsQuery())
  return (
    <SubjectPage query={grouping} id={id}>
      {(data) => (
        <GroupingEditor
          key={id}
          grouping={data}
          target={datasets.data ? describeTarget(data.target, datasets.data) : ''}
          above={
            <Anchor component="span" size="sm">
              <LinkAnchor to="/data-grouping">Data grouping</LinkAnchor>
            </Anchor>
          }
        />
      )}
    </SubjectPage>
  )
}
